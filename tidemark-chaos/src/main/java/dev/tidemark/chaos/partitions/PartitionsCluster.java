package dev.tidemark.chaos.partitions;

import dev.tidemark.chaos.pulse.PulseServer;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionClientOptions;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.testkit.faults.CuttingProxy;
import dev.tidemark.testkit.server.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The processes of a partitions run as their parent sees them: a store, managers and servers, and
 * an etcd for the control rows where that is asked for. The store, etcd and each server are reached
 * through a door that can be cut.
 */
final class PartitionsCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than the minute that a server gives the managers to move its partitions. */
  private static final Duration TERMINATION_MAX = Duration.ofSeconds(90);

  private final Workspace workspace;
  private final ChildProcess store;
  private final String address;
  private final Map<String, ChildProcess> managers = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final Map<String, ChildProcess> servers = new LinkedHashMap<>();
  private final Map<String, CuttingProxy> doors = new LinkedHashMap<>();
  private final CuttingProxy toStore = CuttingProxy.open();
  private final CuttingProxy toEtcd = CuttingProxy.open();
  private final Optional<EtcdServer> etcd;
  private final String type;
  private int names;

  private PartitionsCluster(Workspace workspace, boolean withEtcd, String type)
      throws InterruptedException {
    this.workspace = workspace;
    this.type = type;
    this.etcd = withEtcd ? Optional.of(EtcdServer.start(workspace.path("etcd"))) : Optional.empty();
    etcd.ifPresent(server -> toEtcd.target(server.port()));
    this.store = PulseServer.start(workspace, workspace.path("database"));
    toStore.target(port(store, "the store"));
    this.address = "tidemark://127.0.0.1:" + toStore.port();
  }

  /** Starts everything, with actors of the type of this name. */
  static PartitionsCluster start(Workspace workspace, boolean withEtcd, String type)
      throws InterruptedException {
    PartitionsCluster cluster = new PartitionsCluster(workspace, withEtcd, type);
    try {
      for (String name : List.of("manager-1", "manager-2")) {
        cluster.manager(name, 0);
      }
      List<String> started = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String server = cluster.newName();
        cluster.begin(server);
        started.add(server);
      }
      for (String server : started) {
        cluster.awaitPort(server);
      }
      return cluster;
    } catch (RuntimeException | InterruptedException failure) {
      cluster.close();
      throw failure;
    }
  }

  private String newName() {
    return "node-" + ++names;
  }

  private void manager(String name, int port) throws InterruptedException {
    ChildProcess process =
        PartitionsProcess.manager(workspace, name, address, etcdAddress(), type, port);
    managers.put(name, process);
    ports.put(name, port(process, name));
  }

  private void begin(String name) {
    CuttingProxy door = CuttingProxy.open();
    doors.put(name, door);
    servers.put(
        name, PartitionsProcess.server(workspace, name, address, etcdAddress(), type, door.port()));
  }

  /** Waits until a server listens. Nobody gets through its door before. */
  private void awaitPort(String name) throws InterruptedException {
    ChildProcess process = servers.get(name);
    CuttingProxy door = doors.get(name);
    if (process != null && door != null) {
      door.target(port(process, name));
    }
  }

  private static int port(ChildProcess process, String what) throws InterruptedException {
    return process
        .await(Message.Serving.class, PATIENCE)
        .orElseThrow(() -> new IllegalStateException(what + " does not serve: " + process.errors()))
        .port();
  }

  /** A new server, which is active when this returns. */
  void addServer(PartitionOperator operator) throws InterruptedException {
    startServer(operator, newName());
  }

  /** Starts the server with this name, also after it was killed; it is active then. */
  void startServer(PartitionOperator operator, String name) throws InterruptedException {
    begin(name);
    awaitPort(name);
    awaitActive(operator, name);
  }

  void awaitActive(PartitionOperator operator, String name) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (operator.members().stream()
        .noneMatch(
            member -> member.node().equals(name) && member.state() == ClusterMember.State.ACTIVE)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(name + " does not become active");
      }
      Thread.sleep(50);
    }
  }

  private String etcdAddress() {
    return etcd.isPresent() ? "http://127.0.0.1:" + toEtcd.port() : PartitionsProcess.NO_ETCD;
  }

  /** Kills etcd and starts it again, with what it has on its disk. */
  void restartEtcd() {
    EtcdServer server = etcd.orElseThrow();
    server.kill();
    toEtcd.cutAll();
    server.start();
  }

  /** Cuts connections to the store, etcd or a server; replies may get lost just before. */
  void cut(SplittableRandom random) throws InterruptedException {
    List<CuttingProxy> all = new ArrayList<>(doors.values());
    all.add(toStore);
    etcd.ifPresent(server -> all.add(toEtcd));
    all.get(random.nextInt(all.size())).cut(random);
  }

  List<String> serverNames() {
    return List.copyOf(servers.keySet());
  }

  void killServer(String name) throws InterruptedException {
    ChildProcess process = servers.remove(name);
    if (process != null) {
      process.kill();
      process.close();
    }
    CuttingProxy door = doors.remove(name);
    if (door != null) {
      door.close();
    }
  }

  /**
   * Asks a server to end (SIGTERM), as a restart of its machine does, and waits until it has.
   *
   * @return whether it has within its time
   */
  boolean terminateServer(String name) throws InterruptedException {
    ChildProcess process = servers.get(name);
    if (process == null) {
      return true;
    }
    process.signal("TERM");
    long deadline = System.nanoTime() + TERMINATION_MAX.toNanos();
    while (!process.ended() && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    boolean ended = process.ended();
    killServer(name);
    return ended;
  }

  /** Has a server stand still for longer than its lease, and go on. */
  void pauseServer(String name) throws InterruptedException {
    ChildProcess process = servers.get(name);
    if (process == null) {
      return;
    }
    process.signal("STOP");
    Thread.sleep(PartitionsProcess.LEASE.multipliedBy(2));
    process.signal("CONT");
  }

  /** Kills a manager and starts it again at the same port. */
  void restartManager(String name) throws InterruptedException {
    ChildProcess process = managers.remove(name);
    if (process != null) {
      process.kill();
      process.close();
    }
    manager(name, ports.getOrDefault(name, 0));
  }

  private String[] addresses() {
    return ports.values().stream()
        .map(port -> "tidemark://127.0.0.1:" + port)
        .toArray(String[]::new);
  }

  List<String> managerNames() {
    return List.copyOf(managers.keySet());
  }

  PartitionClient client() {
    return PartitionClient.connect(
        PartitionClientOptions.managers(addresses())
            .withTimeout(Duration.ofSeconds(60))
            .withConnectTimeout(PATIENCE));
  }

  PartitionOperator operator() {
    return PartitionOperator.connect(List.of(addresses()), ChannelOptions.defaults(), PATIENCE);
  }

  @Override
  public void close() {
    servers.values().forEach(ChildProcess::close);
    managers.values().forEach(ChildProcess::close);
    store.close();
    doors.values().forEach(CuttingProxy::close);
    toStore.close();
    etcd.ifPresent(EtcdServer::close);
    toEtcd.close();
  }
}
