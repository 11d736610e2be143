package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.CheckpointHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The journals in our store, as one start of a server sees them. */
public final class StoreJournals implements Journals {
  private static final int PEEKS = 3;

  private final Database database;
  private final PartitionKeys keys;
  private final String node;
  private final long incarnation;
  private final LongSupplier routingVersion;

  /**
   * The journals of one start of a node.
   *
   * @param routingVersion asked when a request is refused, so that its client waits for a newer one
   */
  public StoreJournals(
      Database database,
      PartitionKeys keys,
      String node,
      long incarnation,
      LongSupplier routingVersion) {
    this.database = database;
    this.keys = keys;
    this.node = node;
    this.incarnation = incarnation;
    this.routingVersion = routingVersion;
  }

  @Override
  public Journal own(String partition) {
    Optional<OwnershipRow> row = ownership(partition);
    if (row.isEmpty()) {
      throw moved("There is no partition %s; it may have been merged".formatted(partition));
    }
    OwnershipRow owner = row.get();
    if (!owner.isOwnedBy(node, incarnation) || owner.phase() == Phase.RETIRED) {
      throw moved(
          "%s belongs to %s in epoch %d, %s, not to this start of %s"
              .formatted(partition, owner.node(), owner.epoch(), owner.phase(), node));
    }
    return new StoreJournal(database, keys, Tenure.of(partition, owner));
  }

  /** With the routing version, unless that cannot be read now: the rest is known all the same. */
  private PartitionException moved(String message) {
    PartitionException moved = new PartitionException(Reason.MOVED, message);
    try {
      return moved.atRoutingVersion(routingVersion());
    } catch (DatabaseException unread) {
      moved.addSuppressed(unread);
      return moved;
    }
  }

  private Optional<OwnershipRow> ownershipNow(String partition) {
    try {
      return ownership(partition);
    } catch (DatabaseException outage) {
      throw StoreFailures.of("The owner of %s could not be read".formatted(partition), outage);
    }
  }

  private Optional<OwnershipRow> ownership(String partition) {
    return database.read(tx -> tx.get(keys.ownership(partition)).map(OwnershipRow::decode));
  }

  @Override
  public Loaded peek(String partition, JournalTarget.Factory target) {
    OwnershipRow owner =
        ownershipNow(partition)
            .orElseThrow(
                () ->
                    new PartitionException(
                        Reason.NOT_FOUND, "There is no partition %s".formatted(partition)));
    for (int attempt = 1; ; attempt++) {
      try {
        return load(database, keys, partition, target.create(Tenure.of(partition, owner)));
      } catch (PartitionException changed) {
        if (changed.reason() == Reason.NOT_FOUND) {
          // The server does not have the actor type; another attempt would not help.
          throw changed;
        }
        if (attempt == PEEKS) {
          throw new PartitionException(
              Reason.BUSY,
              "%s changed %d times while it was loaded ahead".formatted(partition, PEEKS),
              changed);
        }
      } catch (Exception failure) {
        throw StoreFailures.of("%s could not be loaded ahead".formatted(partition), failure);
      }
    }
  }

  @Override
  public long routingVersion() {
    return routingVersion.getAsLong();
  }

  /** Loads all of a partition. Only its owner can be sure that nothing changes meanwhile. */
  static Loaded load(Database database, PartitionKeys keys, String partition, JournalTarget target)
      throws Exception {
    Optional<CheckpointHeadRow> head =
        database.read(tx -> tx.get(keys.checkpointHead(partition)).map(CheckpointHeadRow::decode));
    if (head.isPresent()) {
      new CheckpointRows(database, keys).read(partition, head.get(), target);
    }
    long from = head.map(CheckpointHeadRow::lsn).orElse(0L);
    long lsn = new LogRows(keys, partition).read(database, from, target);
    return new Loaded(lsn, from, head.map(CheckpointHeadRow::bytes).orElse(0L));
  }
}
