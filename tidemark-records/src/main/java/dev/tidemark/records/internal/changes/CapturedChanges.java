package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The changes that one attempt of a transaction has made so far to the records of a store. */
final class CapturedChanges {
  // All guarded by this; nothing under the monitor waits.
  private final Map<Key, FoldedChange> changes = new LinkedHashMap<>();
  private final Map<Integer, PartitionMap> maps = new HashMap<>();
  private final Set<Key> usedRows = new HashSet<>();
  private String tag = "";
  private boolean excluded;
  private boolean sweeping;
  private boolean awaited;
  private boolean written;

  /**
   * Adds a change. Returns whether it is the first one, so that the caller must schedule the write.
   */
  synchronized boolean add(
      String type, RecordKey key, @Nullable Wire before, boolean expired, @Nullable Wire after) {
    if (written) {
      throw new IllegalStateException(
          "A %s is changed after the changes of its transaction were written to the change log. Change records before the commit, or in an action of beforeCommit that is added before the commit begins"
              .formatted(type));
    }
    changes
        .computeIfAbsent(key.prefix(), any -> new FoldedChange(type, key, before, expired))
        .becomes(after, sweeping);
    boolean first = !awaited;
    awaited = true;
    return first;
  }

  /** All changes, in the order in which their records were first changed; called once. */
  synchronized List<FoldedChange> take() {
    written = true;
    return new ArrayList<>(changes.values());
  }

  /** The partitions of a stream as this transaction sees them; null if it has not looked. */
  synchronized @Nullable PartitionMap map(int stream) {
    return maps.get(stream);
  }

  synchronized void useMap(int stream, PartitionMap map) {
    maps.put(stream, map);
  }

  /** Whether nobody has asked this for {@code row} of a partition before. */
  synchronized boolean isFirstIn(Key row) {
    return usedRows.add(row);
  }

  synchronized String tag() {
    return tag;
  }

  synchronized void tag(String other) {
    tag = other;
  }

  synchronized boolean isExcluded() {
    return excluded;
  }

  synchronized void exclude() {
    excluded = true;
  }

  /** Whether what changes from now on is the store's own doing. */
  synchronized void sweeping(boolean on) {
    sweeping = on;
  }
}
