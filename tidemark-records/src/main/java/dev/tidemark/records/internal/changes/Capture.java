package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.changes.CapturePlan.OpenStream;
import dev.tidemark.records.internal.changes.PartitionMap.Place;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Captures the changes of records for the change streams of a store. A writer fetches a record
 * here, with the row of its partition in the same read, and reports the result; the log is written
 * when the transaction commits.
 */
public final class Capture {
  /** By the header of the store: spaces that are open at one place share what is captured. */
  private static final AttachmentKey<Map<Key, CapturedChanges>> CAPTURED =
      AttachmentKey.of("records: captured changes", ConcurrentHashMap::new);

  private final Space space;

  /** The partitions of each stream as they were last seen. */
  private final Map<Integer, PartitionMap> latest = new ConcurrentHashMap<>();

  private Capture(Space space) {
    this.space = space;
  }

  /** The one for the records of {@code space}. */
  public static Capture of(Space space) {
    return space.part(Capture.class, Capture::new);
  }

  private CapturedChanges of(Transaction tx) {
    return tx.attachment(CAPTURED)
        .computeIfAbsent(space.keys().header(), store -> new CapturedChanges());
  }

  /** Whether a change of a record of {@code type} in {@code tx} has to be known one by one. */
  public boolean watches(Transaction tx, SpaceState state, String type) {
    List<OpenStream> watching = CapturePlan.of(space, state).watching(type);
    return !watching.isEmpty()
        && (!of(tx).isExcluded()
            || watching.stream().anyMatch(stream -> !stream.info().spec().optOut()));
  }

  /**
   * The main value of the record with {@code key}, which is about to be changed; null if there is
   * none. If streams watch {@code type}, the rows of the partitions are read with it, so that the
   * transaction conflicts with whoever splits or merges them.
   */
  public byte @Nullable [] fetch(Transaction tx, SpaceState state, String type, RecordKey key) {
    List<OpenStream> watching = CapturePlan.of(space, state).watching(type);
    Key main = key.main();
    if (watching.isEmpty()) {
      return tx.get(main).orElse(null);
    }
    CapturedChanges changes = of(tx);
    List<Key> wanted = new ArrayList<>(1 + watching.size());
    wanted.add(main);
    for (OpenStream stream : watching) {
      Place place = map(tx, changes, stream).at(key.prefix());
      if (place == null) {
        place(tx, changes, stream, key.prefix());
      } else if (!changes.hasRead(place.row())) {
        wanted.add(place.row());
      }
    }
    if (wanted.size() == 1) {
      return tx.get(main).orElse(null);
    }
    Map<Key, byte[]> found = tx.getAll(wanted);
    boolean stale = false;
    for (int i = 1; i < wanted.size(); i++) {
      if (found.containsKey(wanted.get(i))) {
        changes.read(wanted.get(i));
      } else {
        stale = true;
      }
    }
    if (stale) {
      for (OpenStream stream : watching) {
        place(tx, changes, stream, key.prefix());
      }
    }
    return found.get(main);
  }

  private PartitionMap map(Transaction tx, CapturedChanges changes, OpenStream stream) {
    int id = stream.info().id();
    PartitionMap mine = changes.map(id);
    if (mine != null) {
      return mine;
    }
    PartitionMap known = latest.get(id);
    if (known == null) {
      return refreshed(tx, changes, stream);
    }
    changes.useMap(id, known);
    return known;
  }

  private PartitionMap refreshed(Transaction tx, CapturedChanges changes, OpenStream stream) {
    int id = stream.info().id();
    PartitionMap map = PartitionMap.read(tx, stream.keys(), space.keys().records().prefix());
    changes.useMap(id, map);
    latest.merge(id, map, (one, other) -> one.isOlderThan(other) ? other : one);
    return map;
  }

  /** The partition for a record, whose row {@code tx} has read. */
  private Place place(Transaction tx, CapturedChanges changes, OpenStream stream, Key record) {
    Place place = map(tx, changes, stream).at(record);
    if (place != null && changes.hasRead(place.row())) {
      return place;
    }
    place = refreshed(tx, changes, stream).at(record);
    if (place == null || tx.get(place.row()).isEmpty()) {
      throw new SchemaException(
          "The change stream '%s' has no partition for a record; the store at %s is gone, it was deleted while it was open"
              .formatted(stream.info().spec().name(), space.keys().header()));
    }
    changes.read(place.row());
    return place;
  }

  /**
   * Remembers that {@code tx} changes a record that was {@link #fetch fetched}.
   *
   * @param before what was there; null for nothing
   * @param expired whether that had expired
   * @param after what is there now; null for nothing
   */
  public void changed(
      Transaction tx,
      SpaceState state,
      String type,
      RecordKey key,
      @Nullable Wire before,
      boolean expired,
      @Nullable Wire after) {
    if (CapturePlan.of(space, state).watching(type).isEmpty()) {
      return;
    }
    if (of(tx).add(type, key, before, expired, after)) {
      tx.beforeCommit(begun -> begun.beforeCommit(this::write));
    }
  }

  /** Written behind the actions that others had added by then, which may change records too. */
  private void write(Transaction tx) {
    CapturedChanges changes = of(tx);
    SpaceState state = space.state(tx);
    List<FoldedChange> all = changes.take();
    for (OpenStream stream : CapturePlan.of(space, state).streams()) {
      if (!(changes.isExcluded() && stream.info().spec().optOut())) {
        LogWriter writer = new LogWriter(space, state, stream, changes.tag());
        for (FoldedChange change : all) {
          if (stream.watches(change.type())) {
            writer.add(change, place(tx, changes, stream, change.key().prefix()));
          }
        }
        writer.write(tx);
      }
    }
  }

  /** Runs {@code work}, whose changes in {@code tx} are the store's own doing. */
  public boolean sweeping(Transaction tx, SpaceState state, BooleanSupplier work) {
    if (CapturePlan.of(space, state).streams().isEmpty()) {
      return work.getAsBoolean();
    }
    CapturedChanges changes = of(tx);
    changes.sweeping(true);
    try {
      return work.getAsBoolean();
    } finally {
      changes.sweeping(false);
    }
  }

  void tag(Transaction tx, String tag) {
    of(tx).tag(tag);
  }

  void exclude(Transaction tx) {
    of(tx).exclude();
  }

  /** Why records of {@code type} are deleted one by one, if it is because of a stream. */
  public Optional<String> whyOneByOne(SpaceState state, String type) {
    return CapturePlan.of(space, state).watching(type).stream()
        .findFirst()
        .map(
            stream ->
                "the change stream '%s' records each of them"
                    .formatted(stream.info().spec().name()));
  }
}
