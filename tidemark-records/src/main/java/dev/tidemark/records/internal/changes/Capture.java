package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MetadataVersion;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.changes.CapturePlan.OpenStream;
import dev.tidemark.records.internal.changes.PartitionMap.Place;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the changes of a store's records for its streams. Whoever changes a record fetches it
 * here and tells what it became; the log is written when the transaction commits.
 *
 * <p>Partitions are cached together with the metadata version of the database, which every split
 * and merge raises, as the header of the store is: a transaction that finds the same metadata
 * version would find the same partitions.
 */
public final class Capture {
  /** By the header of the store: spaces that are open at one place share what is captured. */
  private static final AttachmentKey<Map<Key, CapturedChanges>> CAPTURED =
      AttachmentKey.of("records: captured changes", ConcurrentHashMap::new);

  private final Space space;

  /** The partitions of each stream as they were seen last. */
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
   * none. If streams watch {@code type}, the transaction conflicts with whoever splits or merges
   * the partitions of the record.
   */
  public byte @Nullable [] fetch(Transaction tx, SpaceState state, String type, RecordKey key) {
    List<OpenStream> watching = CapturePlan.of(space, state).watching(type);
    if (!watching.isEmpty()) {
      CapturedChanges changes = of(tx);
      for (OpenStream stream : watching) {
        CapturedChanges.Partitions partitions = partitions(tx, changes, stream);
        Key row = place(partitions, stream, key.prefix()).row();
        if (partitions.isFirst(row)) {
          tx.addReadConflict(row);
        }
      }
    }
    return tx.get(key.main()).orElse(null);
  }

  /** The partition for a record. */
  private Place place(CapturedChanges.Partitions partitions, OpenStream stream, Key record) {
    Place place = partitions.map().at(record);
    if (place == null) {
      throw new SchemaException(
          "The change stream '%s' has no partition for a record; the store at %s is gone, it was deleted while it was open"
              .formatted(stream.info().spec().name(), space.keys().header()));
    }
    return place;
  }

  private CapturedChanges.Partitions partitions(
      Transaction tx, CapturedChanges changes, OpenStream stream) {
    int id = stream.info().id();
    CapturedChanges.Partitions mine = changes.partitions(id);
    if (mine != null) {
      return mine;
    }
    Key metadata = MetadataVersion.seenBy(tx);
    PartitionMap known = latest.get(id);
    return changes.partitions(
        id, known != null && known.isOf(metadata) ? known : read(tx, stream, metadata));
  }

  private PartitionMap read(Transaction tx, OpenStream stream, @Nullable Key metadata) {
    Key records = space.keys().records().prefix();
    PartitionMap map = PartitionMap.read(tx, stream.keys(), records, metadata);
    if (metadata != null) {
      latest.merge(stream.info().id(), map, (one, other) -> one.isOlderThan(other) ? other : one);
    }
    return map;
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
        CapturedChanges.Partitions partitions = partitions(tx, changes, stream);
        for (FoldedChange change : all) {
          if (stream.watches(change.type())) {
            writer.add(change, place(partitions, stream, change.key().prefix()));
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
