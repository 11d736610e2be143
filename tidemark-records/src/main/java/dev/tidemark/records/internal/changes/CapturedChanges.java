package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import java.util.ArrayList;
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
  private final List<Partitions> partitions = new ArrayList<>(1);
  private String tag = "";
  private boolean excluded;
  private boolean sweeping;
  private boolean awaited;
  private boolean written;

  /** The partitions of a stream as this transaction sees them. */
  static final class Partitions {
    private final int stream;
    private final PartitionMap map;
    private @Nullable Key last;
    private @Nullable Set<Key> several;

    private Partitions(int stream, PartitionMap map) {
      this.stream = stream;
      this.map = map;
    }

    PartitionMap map() {
      return map;
    }

    /**
     * Whether this is the first change with the partition of {@code row}. Records that are changed
     * together mostly have one partition, so a set is made for several only.
     */
    synchronized boolean isFirst(Key row) {
      Key before = last;
      last = row;
      if (before == null || before.equals(row)) {
        return before == null;
      }
      if (several == null) {
        several = new HashSet<>();
        several.add(before);
      }
      return several.add(row);
    }
  }

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

  /** The partitions of a stream; null if the transaction has not looked. */
  synchronized @Nullable Partitions partitions(int stream) {
    for (Partitions known : partitions) {
      if (known.stream == stream) {
        return known;
      }
    }
    return null;
  }

  /** The partitions of a stream; {@code map} if the transaction had not looked before. */
  synchronized Partitions partitions(int stream, PartitionMap map) {
    Partitions known = partitions(stream);
    if (known == null) {
      known = new Partitions(stream, map);
      partitions.add(known);
    }
    return known;
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
