package dev.tidemark.node.internal.cluster;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionManager;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.PartitionServer;
import dev.tidemark.partitions.PartitionServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Two managers and three servers over one store, in this process. */
public final class ExampleCluster implements AutoCloseable {
  private static final Subspace PLACE = Subspace.of("example-cluster");
  private static final Duration LEASE = Duration.ofSeconds(5);

  private final EmbeddedDatabase database;
  private final List<PartitionManager> managers = new ArrayList<>();
  private final List<PartitionServer> servers = new ArrayList<>();

  private ExampleCluster(EmbeddedDatabase database) {
    this.database = database;
  }

  /**
   * Starts one.
   *
   * @param directory where the data is; in memory if there is none
   * @param port of the first manager, the second has the next; 0 for free ones
   */
  public static ExampleCluster start(Optional<Path> directory, int port) {
    ExampleCluster cluster =
        new ExampleCluster(
            directory.map(EmbeddedDatabase::open).orElseGet(EmbeddedDatabase::inMemory));
    try {
      for (int i = 0; i < 2; i++) {
        cluster.managers.add(cluster.manager("manager-" + (i + 1), port == 0 ? 0 : port + i));
      }
      for (int i = 1; i <= 3; i++) {
        cluster.servers.add(cluster.server("node-" + i));
      }
      return cluster;
    } catch (RuntimeException | Error failure) {
      cluster.close();
      throw failure;
    }
  }

  private PartitionManager manager(String id, int port) {
    return PartitionManager.open(
        database,
        PartitionManagerOptions.forTypes(KeyValueActor.TYPE.name(), ObjectActor.TYPE.name())
            .withId(id)
            .withCluster(PLACE)
            .withLeases(LEASE, LEASE)
            .withListener(ListenerOptions.defaults().withPort(port)));
  }

  private PartitionServer server(String node) {
    return PartitionServer.open(
        database,
        PLACE,
        List.of(KeyValueActor.TYPE, ObjectActor.TYPE),
        PartitionServerOptions.node(node).withLease(LEASE).withDrainTimeout(Duration.ZERO));
  }

  /** The addresses of the managers. */
  public List<String> managers() {
    return managers.stream().map(manager -> manager.address().toString()).toList();
  }

  /** The names and addresses of the servers. */
  public List<String> servers() {
    return servers.stream().map(server -> server.node() + " at " + server.address()).toList();
  }

  /** Ends everything; what is in a directory stays. */
  @Override
  public void close() {
    servers.forEach(PartitionServer::close);
    managers.forEach(PartitionManager::close);
    database.close();
  }
}
