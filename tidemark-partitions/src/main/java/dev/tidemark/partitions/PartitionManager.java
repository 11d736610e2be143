package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.grpc.Address;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.manager.ServedManager;
import java.util.OptionalLong;

/**
 * Keeps every partition of a cluster with a node that runs: admits nodes, splits, merges and moves
 * partitions, and tells clients where they are.
 *
 * <p>Start two or three on different machines. One leads; the others push routing tables and answer
 * reads, and one of them leads when the first is gone. A manager owns no partitions and is no
 * member; everything it knows is in the store, and requests of clients do not pass through it.
 */
public final class PartitionManager implements AutoCloseable {
  private final ServedManager manager;

  private PartitionManager(ServedManager manager) {
    this.manager = manager;
  }

  /**
   * Starts a manager. It serves reads at once and stands for election.
   *
   * @param database where the cluster is; the caller closes it, after the manager
   * @throws UsageException if plain text would leave the machine without being asked to, or a
   *     certificate cannot be read
   * @throws UnavailableException if the port is taken
   */
  public static PartitionManager open(Database database, PartitionManagerOptions options) {
    return new PartitionManager(
        ServedManager.open(Control.in(database, options.cluster()), options));
  }

  /**
   * The same with leader, members, routes and operations in {@code control}, and not in the store.
   * Ownership and logs stay in the store. All managers and servers of a cluster have to be opened
   * with the same rows, from the first one on.
   *
   * @param control the caller closes it, after the manager
   * @throws PartitionException REFUSED if the cluster began with other rows
   */
  public static PartitionManager open(
      Database database, PartitionManagerOptions options, RowStore control) {
    return new PartitionManager(
        ServedManager.open(Control.at(database, options.cluster(), control), options));
  }

  /** Where this manager is reached, as seen from this machine. */
  public Address address() {
    return manager.address();
  }

  /** Whether this manager leads now, as far as it can tell without asking. */
  public boolean isLeading() {
    return manager.term().isPresent();
  }

  /** The term of this manager, if it leads. */
  public OptionalLong term() {
    return manager.term();
  }

  /** Numbers of now. */
  public ManagerStatistics statistics() {
    return manager.statistics();
  }

  /** The newest routing table that this manager knows. */
  public RoutingTable routing() {
    return manager.table();
  }

  /**
   * Resigns, ends the streams of watchers, lets calls end and closes the port. Operations under way
   * are left to the next leader. Can be called again.
   */
  @Override
  public void close() {
    manager.close();
  }
}
