package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.grpc.Address;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.server.ServingNode;
import java.util.Collection;

/**
 * A node of a cluster: joins, keeps its lease, and serves the partitions that the manager gives it.
 *
 * <p>If it loses its lease, because the store or this process was away for too long, it stops
 * answering by itself, drops its actors and joins again as a new incarnation.
 */
public final class PartitionServer implements AutoCloseable {
  private final ServingNode node;

  private PartitionServer(ServingNode node) {
    this.node = node;
  }

  /**
   * Listens, and joins the cluster in {@code cluster}.
   *
   * @param database the store that holds the cluster; it stays the caller's and must outlive the
   *     server
   * @param types the actor types that this server can run
   * @throws PartitionException with the reason REFUSED if the cluster does not let the node in, or
   *     BUSY if no manager let it in in time
   */
  public static PartitionServer open(
      Database database,
      Subspace cluster,
      Collection<? extends ActorType<?, ?>> types,
      PartitionServerOptions options) {
    return new PartitionServer(
        ServingNode.open(Control.in(database, cluster), types, options.settings()));
  }

  /**
   * The same for a cluster whose managers keep leader, members, routes and operations in {@code
   * control}, and not in the store. The server keeps its lease there.
   *
   * @param control the caller closes it, after the server
   */
  public static PartitionServer open(
      Database database,
      Subspace cluster,
      Collection<? extends ActorType<?, ?>> types,
      PartitionServerOptions options,
      RowStore control) {
    return new PartitionServer(
        ServingNode.open(Control.at(database, cluster, control), types, options.settings()));
  }

  /** The name of the node. */
  public String node() {
    return node.name();
  }

  /**
   * Which start of the node this is; a new one after each loss of the lease. 0 while it joins anew.
   */
  public long incarnation() {
    return node.incarnation();
  }

  /** Numbers of now. */
  public PartitionServerStatistics statistics() {
    return node.statistics();
  }

  /** Where it listens, as seen from this machine. */
  public Address address() {
    return node.address();
  }

  /**
   * Asks the manager to move the partitions away, waits for that as long as the options say, writes
   * checkpoints of those that are left, leaves the cluster and ends. Can be called again.
   */
  @Override
  public void close() {
    node.close();
  }

  /**
   * Ends at once, as a crash would: the manager notices when the lease has expired. For tests, and
   * for processes that cannot go on.
   */
  public void kill() {
    node.kill();
  }
}
