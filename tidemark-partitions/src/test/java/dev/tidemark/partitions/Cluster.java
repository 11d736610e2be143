package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.wire.ListMembersRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.Member;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Managers, servers and clients over one store in this process, with short leases. */
final class Cluster implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(2);
  private static final Subspace PLACE = Subspace.of("cluster");

  final Database database = EmbeddedDatabase.inMemory();
  final List<PartitionManager> managers = new ArrayList<>();
  final Map<String, PartitionServer> servers = new TreeMap<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Optional<RowStore> control;

  Cluster() {
    this.control = Optional.empty();
  }

  /** A cluster with these control rows, which are closed with it. */
  Cluster(RowStore control) {
    this.control = Optional.of(control);
  }

  private static PartitionManagerOptions options(String id) {
    return PartitionManagerOptions.forTypes("counter")
        .withId(id)
        .withCluster(PLACE)
        .withLeases(LEASE, LEASE);
  }

  PartitionManager manager(String id) {
    return manager(id, UnaryOperator.identity());
  }

  PartitionManager manager(String id, UnaryOperator<PartitionManagerOptions> change) {
    PartitionManagerOptions options = options(id);
    PartitionManager manager =
        control.isPresent()
            ? PartitionManager.open(database, change.apply(options), control.get())
            : PartitionManager.open(database, change.apply(options));
    managers.add(manager);
    return manager;
  }

  /** A manager that ends when {@code crash} says so. */
  PartitionManager crashing(String id, Crash crash) {
    Database seen = crash.over(database);
    PartitionManagerOptions options = options(id);
    PartitionManager manager =
        control.isPresent()
            ? PartitionManager.open(seen, options, crash.over(control.get()))
            : PartitionManager.open(seen, options);
    managers.add(manager);
    return manager;
  }

  /** A server that ends when {@code crash} says so; it uses control rows in the store. */
  PartitionServer crashingServer(String node, Crash crash) {
    PartitionServer server =
        PartitionServer.open(
            crash.over(database),
            PLACE,
            List.of(CounterActor.TYPE),
            PartitionServerOptions.node(node).withLease(LEASE));
    servers.put(node, server);
    return server;
  }

  PartitionServer server(String node) {
    return server(node, UnaryOperator.identity(), CounterActor.TYPE);
  }

  PartitionServer server(
      String node, UnaryOperator<PartitionServerOptions> change, ActorType<?, ?>... kinds) {
    PartitionServerOptions options =
        change.apply(PartitionServerOptions.node(node).withLease(LEASE));
    List<ActorType<?, ?>> types = List.of(kinds);
    PartitionServer server =
        control.isPresent()
            ? PartitionServer.open(database, PLACE, types, options, control.get())
            : PartitionServer.open(database, PLACE, types, options);
    servers.put(node, server);
    return server;
  }

  PartitionClient client() {
    return client(UnaryOperator.identity());
  }

  PartitionClient client(UnaryOperator<PartitionClientOptions> change) {
    String[] addresses =
        managers.stream().map(manager -> manager.address().toString()).toArray(String[]::new);
    PartitionClient client =
        PartitionClient.connect(
            change.apply(
                PartitionClientOptions.managers(addresses).withTimeout(Duration.ofSeconds(60))));
    opened.add(client);
    return client;
  }

  PartitionManager leader() {
    Eventually.eventually(
        "a manager leads", () -> managers.stream().anyMatch(PartitionManager::isLeading));
    return managers.stream().filter(PartitionManager::isLeading).findFirst().orElseThrow();
  }

  ManagerGrpc.ManagerBlockingStub operator() {
    return operator(leader());
  }

  ManagerGrpc.ManagerBlockingStub operator(PartitionManager manager) {
    GrpcChannel channel = GrpcChannel.open(manager.address(), ChannelOptions.defaults());
    opened.add(channel);
    return ManagerGrpc.newBlockingStub(channel.channel());
  }

  /** What people use, with all managers of now. */
  PartitionOperator tool() {
    List<String> addresses =
        managers.stream().map(manager -> manager.address().toString()).toList();
    return owned(
        PartitionOperator.connect(addresses, ChannelOptions.defaults(), Duration.ofSeconds(60)));
  }

  /** Closes {@code one} with the cluster. */
  <T extends AutoCloseable> T owned(T one) {
    opened.add(one);
    return one;
  }

  Map<String, NodeState> states() {
    Map<String, NodeState> states = new TreeMap<>();
    for (Member member :
        operator().listMembers(ListMembersRequest.getDefaultInstance()).getMembersList()) {
      states.put(member.getNodeId(), member.getState());
    }
    return states;
  }

  void awaitState(String node, NodeState state) {
    Eventually.eventually(
        () -> node + " becomes " + state + ": " + states(), () -> states().get(node) == state);
  }

  /** Does what the leader does a day after an operation has ended, to all that have. */
  void forgetEndedOperations() {
    RowStore rows = control.orElseGet(() -> RowStore.in(database, PLACE, PLACE.sub("wake")));
    rows.transact(
        all -> {
          all.scan(ControlKeys.OPERATIONS, Integer.MAX_VALUE).stream()
              .filter(row -> OperationRow.decode(row.value()).status().isFinal())
              .forEach(row -> all.clear(row.key()));
          return true;
        });
  }

  /** The ownership rows by partition. */
  Map<String, OwnershipRow> ownerships() {
    return database.read(tx -> ClusterRows.of(new PartitionKeys(PLACE)).ownerships(tx));
  }

  /** Stops a manager and forgets it. */
  void stop(PartitionManager manager) {
    managers.remove(manager);
    manager.close();
  }

  /** Ends a server in good order. */
  void leave(String node) {
    PartitionServer server = servers.remove(node);
    if (server != null) {
      server.close();
    }
  }

  /** Ends a server as a crash would. */
  void kill(String node) {
    PartitionServer server = servers.remove(node);
    if (server != null) {
      server.kill();
    }
  }

  @Override
  public void close() {
    for (AutoCloseable one : opened) {
      try {
        one.close();
      } catch (Exception failure) {
        throw new AssertionError(failure);
      }
    }
    servers.values().forEach(PartitionServer::kill);
    managers.forEach(PartitionManager::close);
    control.ifPresent(RowStore::close);
    database.close();
  }
}
