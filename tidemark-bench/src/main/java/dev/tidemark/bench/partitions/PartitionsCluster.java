package dev.tidemark.bench.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.ActorType;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A manager, servers and a client over one store, all in this process, over loopback. */
final class PartitionsCluster implements AutoCloseable {
  static final Subspace PLACE = Subspace.of("cluster");
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Database database;
  private final ActorType<?, ?> type;
  private final PartitionManager manager;
  private final Map<String, PartitionServer> servers = new LinkedHashMap<>();

  PartitionsCluster(Database database, ActorType<?, ?> type) {
    this.database = database;
    this.type = type;
    this.manager =
        PartitionManager.open(
            database,
            PartitionManagerOptions.forTypes(type.name())
                .withCluster(PLACE)
                .withLeases(LEASE, LEASE));
  }

  PartitionManager manager() {
    return manager;
  }

  /** Starts a node; returns when the manager has let it in. */
  void server(String node) throws InterruptedException {
    servers.put(
        node,
        PartitionServer.open(
            database,
            PLACE,
            List.of(type),
            PartitionServerOptions.node(node)
                .withLease(LEASE)
                .withDrainTimeout(Duration.ZERO)
                .withRequestTimeout(PATIENCE)));
    try (PartitionOperator operator = operator()) {
      await(
          "node " + node + " is active",
          () -> operator.members().stream().anyMatch(member -> isActive(member, node)));
    }
  }

  private static boolean isActive(ClusterMember member, String node) {
    return member.node().equals(node) && member.state() == ClusterMember.State.ACTIVE;
  }

  /** Ends a node in good order: its state is written as a checkpoint. */
  void leave(String node) {
    remove(node).close();
  }

  void kill(String node) {
    remove(node).kill();
  }

  private PartitionServer remove(String node) {
    PartitionServer server = servers.remove(node);
    if (server == null) {
      throw new IllegalArgumentException("There is no node " + node);
    }
    return server;
  }

  PartitionClient client() {
    return PartitionClient.connect(
        PartitionClientOptions.managers(manager.address().toString()).withTimeout(PATIENCE));
  }

  PartitionOperator operator() {
    return PartitionOperator.connect(
        List.of(manager.address().toString()), ChannelOptions.defaults(), PATIENCE);
  }

  /** Looks again and again; what is measured by it is exact to two milliseconds. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Waited in vain until " + what);
      }
      Thread.sleep(2);
    }
  }

  @Override
  public void close() {
    servers.values().forEach(PartitionServer::kill);
    manager.close();
  }
}
