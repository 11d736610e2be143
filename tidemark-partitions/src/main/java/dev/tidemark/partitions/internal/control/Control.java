package dev.tidemark.partitions.internal.control;

import dev.tidemark.coordination.Coordination;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.coordination.StoreTime;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.routing.RoutingRows;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.util.Optional;
import java.util.UUID;

/**
 * The control rows of one cluster, and its clocks. Time is always that of our store, wherever the
 * rows are: a place without a clock of its own can hold leases too.
 */
public final class Control implements AutoCloseable {
  private static final String COORDINATION = "coordination";

  private final Database database;
  private final PartitionKeys keys;
  private final RowStore rows;
  private final Coordination election;
  private final StoreTime storeTime;
  private final boolean joined;

  private Control(
      Database database,
      PartitionKeys keys,
      RowStore rows,
      Coordination election,
      StoreTime storeTime,
      boolean joined) {
    this.database = database;
    this.keys = keys;
    this.rows = rows;
    this.election = election;
    this.storeTime = storeTime;
    this.joined = joined;
  }

  /**
   * Control rows beside the ownership rows, in one transaction with them.
   *
   * @throws PartitionException REFUSED if the cluster has them elsewhere
   */
  public static Control in(Database database, Subspace cluster) {
    PartitionKeys keys = new PartitionKeys(cluster);
    if (database.read(tx -> tx.get(keys.controlPlace())).isPresent()) {
      throw new PartitionException(
          Reason.REFUSED,
          "The control rows of this cluster are not in its store; open managers and servers with the row store that holds them");
    }
    return new Control(
        database,
        keys,
        RowStore.in(database, cluster, cluster.sub("wake")),
        Coordination.in(database, cluster.sub(COORDINATION)),
        new StoreClock(database, keys.clockTick()),
        true);
  }

  /**
   * Control rows elsewhere. The first to come marks the cluster and the rows as belonging together.
   *
   * @param rows stays its owner's to close
   * @throws PartitionException REFUSED if one of the two belongs to another
   */
  public static Control at(Database database, Subspace cluster, RowStore rows) {
    PartitionKeys keys = new PartitionKeys(cluster);
    bind(database, keys, rows);
    StoreTime storeTime = new StoreClock(database, keys.clockTick());
    return new Control(
        database, keys, rows, new Coordination(rows, storeTime, database.time()), storeTime, false);
  }

  private static void bind(Database database, PartitionKeys keys, RowStore rows) {
    Optional<String> here = database.read(tx -> tx.get(keys.controlPlace()).map(Control::name));
    String there =
        rows.transact(
            all -> {
              Optional<String> known = all.get(ControlKeys.CLUSTER).map(Control::name);
              if (known.isEmpty() && here.isEmpty()) {
                String made = UUID.randomUUID().toString();
                all.set(ControlKeys.CLUSTER, Tuple.of(made).pack());
                return made;
              }
              return known.orElse("");
            });
    String bound =
        database.transact(
            tx -> {
              Optional<String> known = tx.get(keys.controlPlace()).map(Control::name);
              boolean isNew =
                  known.isEmpty() && !tx.scan(keys.ownerships()).limit(1).iterator().hasNext();
              if (isNew) {
                tx.set(keys.controlPlace(), Tuple.of(there).pack());
              }
              return isNew ? there : known.orElse("its own store");
            });
    if (!bound.equals(there)) {
      throw new PartitionException(
          Reason.REFUSED,
          "The cluster keeps its control rows in %s; these rows are of %s. Open it with the rows it began with, or restore them"
              .formatted(bound, there.isEmpty() ? "no cluster" : there));
    }
  }

  private static String name(byte[] row) {
    return Tuple.unpack(row).getString(0);
  }

  /** Whether the rows change in the same transaction as ownership. */
  public boolean isJoined() {
    return joined;
  }

  /** The control rows. */
  public RowStore rows() {
    return rows;
  }

  /** Where managers stand for election. */
  public Coordination election() {
    return election;
  }

  /** The store's time. */
  public StoreTime storeTime() {
    return storeTime;
  }

  /** The process's clock. */
  public TimeSource time() {
    return database.time();
  }

  /** The store with ownership and logs. */
  public Database database() {
    return database;
  }

  /** The keys of that store. */
  public PartitionKeys keys() {
    return keys;
  }

  /** The version of the routing table now. */
  public long routingVersion() {
    return rows.read(RoutingRows::version);
  }

  /** Ends listeners of rows that are in the store; other rows are their owner's. */
  @Override
  public void close() {
    if (joined) {
      rows.close();
      election.close();
    }
  }
}
