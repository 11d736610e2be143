package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.partitions.internal.wire.ListOperationsRequest;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * A server ends after every single transaction that an operation asks of it: staged halves,
 * quiesced rows, checkpoints, what it reads to take a partition over. The partitions are served
 * again by the other node, with every count; no operation stays under way, and no key is unserved
 * for half a minute.
 */
class ServerCrashPointTest {
  private static final int POINTS_MAX = 12;
  private static final Duration UNSERVED_MAX = Duration.ofSeconds(30);
  private static final RequestOptions DETACHED =
      RequestOptions.newBuilder().setDetached(true).build();

  @Test
  void ownerThatEndsInASplitLosesNothing() throws Exception {
    crashEverywhere("a", ServerCrashPointTest::split);
  }

  @Test
  void ownerThatEndsInAMergeLosesNothing() throws Exception {
    crashEverywhere("a", ServerCrashPointTest::merge);
  }

  @Test
  void ownerThatEndsInAMigrationLosesNothing() throws Exception {
    crashEverywhere("a", ServerCrashPointTest::migrate);
  }

  @Test
  void targetThatEndsInAMigrationLosesNothing() throws Exception {
    crashEverywhere("b", ServerCrashPointTest::migrate);
  }

  private static void split(Cluster cluster, List<Route> routes) {
    SplitRequest split =
        SplitRequest.newBuilder()
            .setPartitionId(routes.getFirst().partition())
            .setHasSplitKey(true)
            .setSplitKey(ByteString.copyFromUtf8("k005"))
            .setOptions(DETACHED)
            .build();
    assertThat(cluster.operator().split(split).hasOperation()).isTrue();
  }

  private static void merge(Cluster cluster, List<Route> routes) {
    MergeRequest merge =
        MergeRequest.newBuilder()
            .setLowerPartitionId(routes.get(0).partition())
            .setUpperPartitionId(routes.get(1).partition())
            .setOptions(DETACHED)
            .build();
    assertThat(cluster.operator().merge(merge).hasOperation()).isTrue();
  }

  private static void migrate(Cluster cluster, List<Route> routes) {
    MigrateRequest migrate =
        MigrateRequest.newBuilder()
            .setPartitionId(routes.getFirst().partition())
            .setTargetNodeId("b")
            .setOptions(DETACHED)
            .build();
    assertThat(cluster.operator().migrate(migrate).hasOperation()).isTrue();
  }

  private void crashEverywhere(String victim, BiConsumer<Cluster, List<Route>> operation)
      throws InterruptedException, ExecutionException {
    List<Callable<Boolean>> runs = new ArrayList<>();
    for (int at = 1; at <= POINTS_MAX; at++) {
      int point = at;
      runs.add(() -> crashed(victim, operation, point));
    }
    List<Boolean> crashed = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> run : threads.invokeAll(runs)) {
        crashed.add(run.get());
      }
    }
    System.gc(); // Network memory of closed listeners is given back when it finds them.
    System.out.printf(
        "server %s: crashed after transaction 1 to %d: %s%n", victim, POINTS_MAX, crashed);
    assertThat(crashed.getFirst()).as("the first one is followed by a crash").isTrue();
  }

  private boolean crashed(String victim, BiConsumer<Cluster, List<Route>> operation, int at) {
    Crash crash = Crash.ofServer(at);
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      start(cluster, "a", victim, crash);
      PartitionClient client = cluster.client();
      List<String> names = ClusterTest.names(20);
      names.forEach(name -> ClusterTest.add(client, name));
      ClusterTest.split(cluster, client.routing().routes().getFirst().partition(), "k010");
      eventually("the client sees the split", () -> client.routing().size() == 2);
      start(cluster, "b", victim, crash);
      crash.arm();
      operation.accept(cluster, client.routing().routes("counter"));
      eventually(
          () -> "the operation ends, or a crash at " + at,
          () -> crash.hasHappened() || running(cluster) == 0);
      boolean happened = crash.hasHappened();
      cluster.kill(victim);
      long begin = System.nanoTime();

      assertThat(names.stream().map(name -> ClusterTest.add(client, name)))
          .as("%s crashes after its transaction %d", victim, at)
          .containsOnly(2L);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(UNSERVED_MAX);
      eventually(() -> "everything has ended after " + at, () -> running(cluster) == 0);
      assertThat(client.routing().routes()).noneMatch(route -> route.node().equals(victim));
      return happened;
    }
  }

  private static void start(Cluster cluster, String node, String victim, Crash crash) {
    if (node.equals(victim)) {
      cluster.crashingServer(node, crash);
    } else {
      cluster.server(node);
    }
    cluster.awaitState(node, NodeState.ACTIVE);
  }

  private static int running(Cluster cluster) {
    return cluster
        .operator()
        .listOperations(ListOperationsRequest.newBuilder().setRunningOnly(true).build())
        .getOperationsCount();
  }
}
