package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.Operation;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterTest {
  /** A new cluster; other places of the control rows make another one. */
  Cluster cluster() {
    return new Cluster();
  }

  @Test
  void theFirstNodeGetsOnePartitionOfEveryKey() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();

      assertThat(add(client, "x")).isEqualTo(1);
      assertThat(add(client, "x")).isEqualTo(2);
      assertThat(client.routing().version()).isEqualTo(1);
      assertThat(client.routing().routes("counter"))
          .singleElement()
          .satisfies(
              route -> {
                assertThat(route.range()).isEqualTo(PartitionRange.ALL);
                assertThat(route.node()).isEqualTo("a");
              });
      assertThat(cluster.states()).containsEntry("a", NodeState.ACTIVE);
    }
  }

  @Test
  void aSplitKeepsEveryKeyAndItsCount() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      List<String> names = names(100);
      names.forEach(name -> add(client, name));
      Route whole = client.routing().routes("counter").getFirst();

      Operation split = split(cluster, whole.partition(), "k050");

      assertThat(split.getState()).as(split.toString()).isEqualTo(Operation.State.DONE);
      assertThat(names.stream().map(name -> add(client, name))).containsOnly(2L);
      List<Route> halves = client.routing().routes("counter");
      assertThat(halves).hasSize(2);
      assertThat(halves.get(1).range()).isEqualTo(PartitionRange.from(Key.utf8("k050")));
      assertThat(halves).extracting(Route::node).containsOnly("a");
      assertThat(client.routing().version()).isEqualTo(2);
    }
  }

  @Test
  void aSplitWithoutAKeyTakesTheMiddleOfTheKeys() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(100).forEach(name -> add(client, name));

      Operation split =
          cluster
              .operator()
              .split(
                  SplitRequest.newBuilder()
                      .setPartitionId(client.routing().routes().getFirst().partition())
                      .build())
              .getOperation();

      assertThat(split.getState()).as(split.toString()).isEqualTo(Operation.State.DONE);
      assertThat(split.getKey().toStringUtf8()).isBetween("k030", "k070");
    }
  }

  @Test
  void aMigratedPartitionIsServedByItsNewNode() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);

      Operation moved = migrate(cluster, client.routing().routes().getFirst().partition(), "b");

      assertThat(moved.getState()).as(moved.toString()).isEqualTo(Operation.State.DONE);
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("b");
    }
  }

  @Test
  void neighboursAreMergedWithEveryKey() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(100).forEach(name -> add(client, name));
      split(cluster, client.routing().routes().getFirst().partition(), "k050");
      eventually("the client sees the split", () -> client.routing().size() == 2);
      List<Route> halves = client.routing().routes("counter");

      Operation merged =
          cluster
              .operator()
              .merge(
                  MergeRequest.newBuilder()
                      .setLowerPartitionId(halves.get(0).partition())
                      .setUpperPartitionId(halves.get(1).partition())
                      .build())
              .getOperation();

      assertThat(merged.getState()).as(merged.toString()).isEqualTo(Operation.State.DONE);
      assertThat(names(100).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().size()).isEqualTo(1);
      cluster.kill("a");
      cluster.server("b");
      assertThat(names(100).stream().map(name -> add(client, name))).containsOnly(3L);
    }
  }

  @Test
  void ofAMergedPartitionNothingIsLeftWhenItsOperationIsForgotten() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(100).forEach(name -> add(client, name));
      split(cluster, client.routing().routes().getFirst().partition(), "k050");
      eventually("the client sees the split", () -> client.routing().size() == 2);
      List<Route> halves = client.routing().routes();
      PartitionOperator operator = cluster.tool();
      String lower = halves.get(0).partition();
      String upper = halves.get(1).partition();
      operator.merge(lower, upper, false).orThrow();
      assertThat(cluster.ownerships()).containsKeys(lower, upper);

      cluster.forgetEndedOperations();

      eventually("the tombstone goes", () -> !cluster.ownerships().containsKey(upper));
      assertThat(cluster.ownerships()).containsOnlyKeys(lower);
      assertThatThrownBy(() -> operator.migrate(upper, "a", false))
          .hasMessageContaining("There is no partition " + upper);
      assertThat(names(100).stream().map(name -> add(client, name))).containsOnly(2L);
    }
  }

  @Test
  void partitionsOfAKilledNodeMoveToAnother() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);

      cluster.kill("a");

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("b");
      assertThat(cluster.states()).containsEntry("a", NodeState.FAILED);
    }
  }

  @Test
  void anotherManagerLeadsWhenTheFirstStopsAndClientsGetItsTables() {
    try (Cluster cluster = cluster()) {
      PartitionManager first = cluster.manager("m1");
      eventually("the first leads", first::isLeading);
      PartitionManager second = cluster.manager("m2");
      cluster.server("a");
      PartitionClient client = cluster.client();
      add(client, "x");

      cluster.stop(first);
      eventually("the second leads", second::isLeading);

      assertThat(add(client, "x")).isEqualTo(2);
      split(cluster, client.routing().routes().getFirst().partition(), "m");
      eventually("the client sees the split", () -> client.routing().size() == 2);
      assertThat(second.term().orElseThrow()).isEqualTo(2);
    }
  }

  @Test
  void aDrainedNodeOwnsNothingAndWaitsAfterwards() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(50).forEach(name -> add(client, name));
      split(cluster, client.routing().routes().getFirst().partition(), "k025");
      cluster.server("b");
      cluster.server("c");
      cluster.awaitState("b", NodeState.ACTIVE);
      cluster.awaitState("c", NodeState.ACTIVE);

      cluster.leave("a");

      assertThat(names(50).stream().map(name -> add(client, name))).containsOnly(2L);
      Set<String> nodes =
          client.routing().routes().stream().map(Route::node).collect(Collectors.toSet());
      assertThat(nodes).containsExactlyInAnyOrder("b", "c");
      cluster.awaitState("a", NodeState.WAITING);
    }
  }

  @Test
  void aServerThatAnInterruptedThreadClosesGivesItsPartitionsAwayFirst() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      assertThat(add(cluster.client(), "x")).isEqualTo(1);
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);

      Thread.currentThread().interrupt();
      cluster.leave("a");

      assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
      PartitionClient client = cluster.client();
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("b");
      assertThat(add(client, "x")).isEqualTo(2);
    }
  }

  @Test
  void aScanCrossesPartitionsInOrderAndWithoutGaps() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      List<String> names = names(100);
      names.forEach(name -> add(client, name));
      split(cluster, client.routing().routes().getFirst().partition(), "k033");
      eventually("the client sees the split", () -> client.routing().size() == 2);

      ScanPage<String> first = client.scan(CounterActor.TYPE, "", PartitionRange.ALL, 40);
      ScanPage<String> rest =
          client.scan(
              CounterActor.TYPE, "", PartitionRange.from(first.next().orElseThrow()), 1_000);

      assertThat(first.items()).hasSize(40);
      assertThat(rest.next()).isEmpty();
      assertThat(IntStream.range(0, 40).mapToObj(i -> first.items().get(i).key()))
          .containsExactlyElementsOf(names.stream().limit(40).map(Key::utf8).toList());
      assertThat(rest.items().stream().map(ScanPage.Item::key))
          .containsExactlyElementsOf(names.stream().skip(40).map(Key::utf8).toList());
    }
  }

  @Test
  void aBatchHasAnAnswerForEveryRequest() {
    try (Cluster cluster = cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      split(cluster, client.routing().routes().getFirst().partition(), "k500");

      List<PartitionClient.Reply<String>> replies =
          client.sendAll(
              CounterActor.TYPE,
              names(1_000).stream()
                  .map(name -> new PartitionClient.Request<>(Key.utf8(name), "add " + name))
                  .toList());

      assertThat(replies).hasSize(1_000);
      assertThat(replies).extracting(PartitionClient.Reply::orThrow).containsOnly("1");
    }
  }

  static Operation split(Cluster cluster, String partition, String key) {
    return cluster
        .operator()
        .split(
            SplitRequest.newBuilder()
                .setPartitionId(partition)
                .setHasSplitKey(true)
                .setSplitKey(ByteString.copyFromUtf8(key))
                .build())
        .getOperation();
  }

  static Operation migrate(Cluster cluster, String partition, String node) {
    return cluster
        .operator()
        .migrate(
            MigrateRequest.newBuilder().setPartitionId(partition).setTargetNodeId(node).build())
        .getOperation();
  }

  static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> String.format("k%03d", i)).toList();
  }

  static long add(PartitionClient client, String name) {
    return Long.parseLong(client.send(CounterActor.TYPE, Key.utf8(name), "add " + name));
  }
}
