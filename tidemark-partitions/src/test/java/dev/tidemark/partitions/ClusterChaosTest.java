package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.Operation;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients write while partitions are split, merged and moved, and servers and managers end. */
class ClusterChaosTest {
  private static final int STEPS = Integer.getInteger("tidemark.chaos.steps", 24);
  private static final int COUNTERS = 200;
  private static final int WORKERS = 16;

  private final long seed = Long.getLong("tidemark.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<String> done = new ArrayList<>();
  private int started;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void nothingIsLostAndNothingIsCarriedOutTwice() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m0");
      cluster.manager("m1");
      for (String node : List.of("a", "b", "c")) {
        cluster.server(node);
      }
      for (String node : List.of("a", "b", "c")) {
        cluster.awaitState(node, NodeState.ACTIVE);
      }
      PartitionClient client = cluster.client();
      Ledger ledger = new Ledger(client).start(WORKERS, COUNTERS);
      long version = 0;
      for (int step = 0; step < STEPS; step++) {
        step(cluster, step);
        assertThat(client.routing().version()).as("seed %d", seed).isGreaterThanOrEqualTo(version);
        version = client.routing().version();
        long before = ledger.writes();
        eventually(
            () -> "writes go on after %s; seed %d".formatted(done, seed),
            () -> ledger.writes() > before + WORKERS);
      }

      List<String> wrong = ledger.verify(cluster.client());

      System.out.printf(
          "seed %d: %d writes, %d given up, %d versions; %s%n",
          seed, ledger.writes(), ledger.failures(), version, done);
      assertThat(wrong).as("seed %d, after %s", seed, done).isEmpty();
      assertThat(ledger.failures()).as("seed %d, after %s", seed, done).isZero();
      assertThat(done).as("seed %d", seed).noneMatch(what -> what.contains("FAILED"));
    }
  }

  private void step(Cluster cluster, int step) {
    try {
      switch (step % 8) {
        case 0, 1 -> split(cluster);
        case 2, 4 -> migrate(cluster);
        case 3 -> merge(cluster);
        case 5 -> killServer(cluster);
        case 6 -> drain(cluster);
        default -> stopManager(cluster);
      }
    } catch (StatusRuntimeException refused) {
      done.add("refused: " + refused.getStatus().getDescription());
    }
  }

  /**
   * A split or merge of a partition whose node has just died is refused, so that it does not hold
   * up the failover.
   */
  private static String ended(String what, Operation operation) {
    if (operation.getError().contains("is gone; its partitions move first")) {
      return "refused: " + operation.getError();
    }
    return operation.getError().isEmpty()
        ? what + " " + operation.getState()
        : "%s %s: %s".formatted(what, operation.getState(), operation.getError());
  }

  private Route anyRoute(Cluster cluster) {
    List<Route> routes = cluster.leader().routing().routes();
    return routes.get(random.nextInt(routes.size()));
  }

  /** A node that does not have the partition already, which would be refused. */
  private String anyNodeBut(Cluster cluster, String owner) {
    List<String> nodes =
        cluster.servers.keySet().stream().filter(node -> !node.equals(owner)).toList();
    return nodes.get(random.nextInt(nodes.size()));
  }

  /**
   * The key is given: right after a move the new owner has seen too few requests to choose one, and
   * would refuse.
   */
  private void split(Cluster cluster) {
    String key = String.format("k%03d", random.nextInt(COUNTERS));
    Optional<Route> route =
        cluster.leader().routing().routes().stream()
            .filter(one -> one.range().canSplitAt(Key.utf8(key)))
            .findFirst();
    if (route.isEmpty()) {
      return;
    }
    done.add(
        ended(
            "split",
            cluster
                .operator()
                .split(
                    SplitRequest.newBuilder()
                        .setPartitionId(route.get().partition())
                        .setHasSplitKey(true)
                        .setSplitKey(ByteString.copyFromUtf8(key))
                        .build())
                .getOperation()));
  }

  private void merge(Cluster cluster) {
    List<Route> routes = cluster.leader().routing().routes();
    for (int i = 1; i < routes.size(); i++) {
      Route lower = routes.get(i - 1);
      Route upper = routes.get(i);
      if (lower.node().equals(upper.node())) {
        done.add(
            ended(
                "merge",
                cluster
                    .operator()
                    .merge(
                        MergeRequest.newBuilder()
                            .setLowerPartitionId(lower.partition())
                            .setUpperPartitionId(upper.partition())
                            .build())
                    .getOperation()));
        return;
      }
    }
  }

  private void migrate(Cluster cluster) {
    Route route = anyRoute(cluster);
    done.add(
        ended(
            "migrate",
            cluster
                .operator()
                .migrate(
                    MigrateRequest.newBuilder()
                        .setPartitionId(route.partition())
                        .setTargetNodeId(anyNodeBut(cluster, route.node()))
                        .build())
                .getOperation()));
  }

  /** The node that is killed owns something. */
  private void killServer(Cluster cluster) {
    String node = anyRoute(cluster).node();
    cluster.kill(node);
    done.add("kill " + node);
    String next = "n" + ++started;
    cluster.server(next);
    cluster.awaitState(next, NodeState.ACTIVE);
  }

  private void drain(Cluster cluster) {
    String node = anyRoute(cluster).node();
    done.add(
        ended(
            "drain",
            cluster
                .operator()
                .drainNode(DrainNodeRequest.newBuilder().setNodeId(node).build())
                .getOperation()));
    cluster.leave(node);
    String next = "n" + ++started;
    cluster.server(next);
    cluster.awaitState(next, NodeState.ACTIVE);
  }

  private void stopManager(Cluster cluster) {
    PartitionManager leader = cluster.leader();
    cluster.stop(leader);
    done.add("stop the leader");
    ListenerOptions samePort = ListenerOptions.defaults().withPort(leader.address().port());
    cluster.manager("m" + ++started, options -> options.withListener(samePort));
    cluster.leader();
  }
}
