package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.ListOperationsRequest;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.Operation;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * A manager ends before and after every single write of every operation. The next leader comes to
 * the old state or to the new one within half a minute: routes follow from ownership, no lock is
 * left, no count is lost.
 */
class CrashPointTest {
  /** More writes than any operation has. */
  private static final int WRITES_MAX = 14;

  /** How long a partition may be without an owner that answers, once another manager leads. */
  private static final Duration UNSERVED_MAX = Duration.ofSeconds(30);

  /** More writes than it takes to let a node in and give it the first partition. */
  private static final int FIRST_WRITES_MAX = 5;

  private static final PartitionKeys KEYS = new PartitionKeys(Subspace.of("cluster"));

  /** A place for control rows beside the store; empty for the store itself. */
  Optional<RowStore> controlRows() {
    return Optional.empty();
  }

  /** What is asked of a cluster, and how it looks when that was done. */
  private enum Kind {
    SPLIT(2, "a"),
    MERGE(1, "a"),
    MIGRATE(1, "b"),
    FAILOVER(1, "b"),
    DRAIN(1, "b");

    private final int partitions;
    private final String node;

    Kind(int partitions, String node) {
      this.partitions = partitions;
      this.node = node;
    }

    private boolean isDone(RoutingTable table) {
      return table.size() == partitions
          && table.routes().stream().allMatch(route -> route.node().equals(node));
    }
  }

  @Test
  void splitIsDoneOrNotAtAll() throws Exception {
    crashEverywhere(Kind.SPLIT);
  }

  @Test
  void mergeIsDoneOrNotAtAll() throws Exception {
    crashEverywhere(Kind.MERGE);
  }

  @Test
  void migrationIsDoneOrNotAtAll() throws Exception {
    crashEverywhere(Kind.MIGRATE);
  }

  @Test
  void failoverIsDone() throws Exception {
    crashEverywhere(Kind.FAILOVER);
  }

  @Test
  void drainIsDone() throws Exception {
    crashEverywhere(Kind.DRAIN);
  }

  @Test
  void firstPartitionOfATypeIsMadeOnce() throws Exception {
    List<Callable<Boolean>> runs = new ArrayList<>();
    for (int at = 1; at <= FIRST_WRITES_MAX; at++) {
      int write = at;
      runs.add(() -> crashedAtFirstPartition(write));
    }
    List<Boolean> crashed = allOf(runs);
    assertThat(crashed.getFirst()).as("the first write is followed by a crash").isTrue();
    assertThat(crashed.getLast()).as("there are no %d writes", FIRST_WRITES_MAX).isFalse();
  }

  /** Whether the manager crashed before the first partition was there. */
  private boolean crashedAtFirstPartition(int at) {
    Crash crash = Crash.ofReconciler(at);
    try (Cluster cluster = controlRows().map(Cluster::new).orElseGet(Cluster::new)) {
      PartitionManager first = cluster.crashing("m1", crash);
      eventually("the first leads", first::isLeading);
      crash.arm();
      cluster.server("a");
      eventually(
          () -> "the type has a partition, or a crash at " + at,
          () -> crash.hasHappened() || first.routing().size() == 1);
      PartitionManager next = cluster.manager("m2");
      cluster.managers.remove(first);
      first.close();
      eventually("the next leads", next::isLeading);
      PartitionClient client = cluster.client();

      assertThat(ClusterTest.add(client, "k")).as("crash after write %d", at).isEqualTo(1);
      checkRoutes("ensure-type, crash after write " + at, cluster, next);
      assertThat(next.routing().size()).as("crash after write %d", at).isEqualTo(1);
    }
    return crash.hasHappened();
  }

  private static <T> List<T> allOf(List<Callable<T>> runs)
      throws InterruptedException, ExecutionException {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<T> run : threads.invokeAll(runs)) {
        results.add(run.get());
      }
    }
    return results;
  }

  private void crashEverywhere(Kind kind) throws InterruptedException, ExecutionException {
    crashEverywhere(kind, "after", Crash::ofOperations);
    crashEverywhere(kind, "before", Crash::ofOperationsBefore);
  }

  private void crashEverywhere(Kind kind, String moment, IntFunction<Crash> crashes)
      throws InterruptedException, ExecutionException {
    List<Callable<Boolean>> runs = new ArrayList<>();
    for (int at = 1; at <= WRITES_MAX; at++) {
      Crash crash = crashes.apply(at);
      String where = "%s, crash %s write %d".formatted(kind, moment, at);
      runs.add(() -> crashed(kind, crash, where));
    }
    List<Boolean> crashed = allOf(runs);
    System.gc(); // Network memory of closed listeners is given back when it finds them.
    System.out.printf("%s: crashed %s write 1 to %d: %s%n", kind, moment, WRITES_MAX, crashed);
    assertThat(crashed.getFirst()).as("there is a crash at the first write").isTrue();
    assertThat(crashed.getLast()).as("no operation has %d writes", WRITES_MAX).isFalse();
  }

  /** Whether the manager crashed; if it did not, the operation has fewer writes. */
  private boolean crashed(Kind kind, Crash crash, String where) {
    try (Cluster cluster = controlRows().map(Cluster::new).orElseGet(Cluster::new)) {
      PartitionManager first = cluster.crashing("m1", crash);
      eventually("the first leads", first::isLeading);
      cluster.server("a");
      PartitionClient client = cluster.client();
      List<String> names = ClusterTest.names(20);
      names.forEach(name -> ClusterTest.add(client, name));
      if (kind == Kind.MERGE) {
        ClusterTest.split(cluster, client.routing().routes().getFirst().partition(), "k010");
        eventually("the client sees the split", () -> client.routing().size() == 2);
      }
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      crash.arm();
      try {
        ask(kind, cluster, client.routing());
      } catch (StatusRuntimeException unanswered) {
        // The operation has begun, and the manager has crashed before it could say so.
        assertThat(crash.hasHappened()).as(unanswered.toString()).isTrue();
      }
      eventually(
          () -> where + ": it ends or crashes",
          () -> crash.hasHappened() || kind.isDone(first.routing()));

      PartitionManager next = cluster.manager("m2");
      cluster.managers.remove(first);
      first.close();
      eventually("the next leads", next::isLeading);
      long leads = System.nanoTime();
      PartitionClient other = cluster.client();
      assertThat(names.stream().map(name -> ClusterTest.add(other, name)))
          .as(where)
          .containsOnly(2L);
      assertThat(Duration.ofNanos(System.nanoTime() - leads)).as(where).isLessThan(UNSERVED_MAX);
      eventually(
          () -> where + ": everything has ended: " + operations(cluster, true),
          () -> operations(cluster, true).isEmpty());
      check(kind, where, cluster, next);
    }
    return crash.hasHappened();
  }

  private static void ask(Kind kind, Cluster cluster, RoutingTable table) {
    List<Route> routes = table.routes("counter");
    RequestOptions detached = RequestOptions.newBuilder().setDetached(true).build();
    String partition = routes.getFirst().partition();
    switch (kind) {
      case SPLIT -> {
        SplitRequest split =
            SplitRequest.newBuilder()
                .setPartitionId(partition)
                .setHasSplitKey(true)
                .setSplitKey(ByteString.copyFromUtf8("k010"))
                .setOptions(detached)
                .build();
        assertThat(cluster.operator().split(split).hasOperation()).isTrue();
      }
      case MERGE -> {
        MergeRequest merge =
            MergeRequest.newBuilder()
                .setLowerPartitionId(partition)
                .setUpperPartitionId(routes.get(1).partition())
                .setOptions(detached)
                .build();
        assertThat(cluster.operator().merge(merge).hasOperation()).isTrue();
      }
      case MIGRATE -> {
        MigrateRequest migrate =
            MigrateRequest.newBuilder()
                .setPartitionId(partition)
                .setTargetNodeId("b")
                .setOptions(detached)
                .build();
        assertThat(cluster.operator().migrate(migrate).hasOperation()).isTrue();
      }
      case FAILOVER -> cluster.kill("a");
      case DRAIN -> {
        DrainNodeRequest drain =
            DrainNodeRequest.newBuilder().setNodeId("a").setOptions(detached).build();
        assertThat(cluster.operator().drainNode(drain).hasOperation()).isTrue();
      }
    }
  }

  private static List<Operation> operations(Cluster cluster, boolean running) {
    return cluster
        .operator()
        .listOperations(ListOperationsRequest.newBuilder().setRunningOnly(running).build())
        .getOperationsList();
  }

  private static void check(Kind kind, String where, Cluster cluster, PartitionManager manager) {
    Operation asked = operations(cluster, false).getFirst();
    boolean done = asked.getState() == Operation.State.DONE;
    assertThat(kind.isDone(manager.routing()))
        .as("%s, %s, %s", where, asked, manager.routing())
        .isEqualTo(done);
    checkRoutes(where, cluster, manager);
  }

  /** Every partition is routed to its owner, and nothing else is. */
  private static void checkRoutes(String where, Cluster cluster, PartitionManager manager) {
    Map<String, Long> routed = new TreeMap<>();
    manager.routing().routes().forEach(route -> routed.put(route.partition(), route.epoch()));
    Map<String, Long> owned = new TreeMap<>();
    for (KeyValue row : cluster.database.read(tx -> tx.scan(KEYS.ownerships()).list())) {
      OwnershipRow owner = OwnershipRow.decode(row.value());
      if (owner.phase() != Phase.RETIRED) {
        owned.put(KEYS.ownedOf(row.key()), owner.epoch());
      }
    }
    assertThat(routed).as(where).isEqualTo(owned);
  }
}
