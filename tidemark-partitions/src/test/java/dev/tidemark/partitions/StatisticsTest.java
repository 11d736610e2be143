package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.wire.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What the leading manager knows of its nodes, and what its policy makes of that. */
class StatisticsTest {
  private static final String NODE = "node-secret-of-some-length";
  private static final String OPERATOR = "operator-secret-of-some-length";

  @Test
  void everyNodeReportsItsPartitionsByItself() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.names(40).forEach(name -> ClusterTest.add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      String lower = operator.routing().routes().getFirst().partition();

      eventually(
          () -> "the load is known: " + operator.statistics(Optional.of("a")),
          () ->
              operator.statistics(Optional.of("a")).stream()
                  .anyMatch(load -> load.requestsPerSecond() > 0 && load.keys().orElse(0) == 40));
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      operator.migrate(lower, "b", false).orThrow();
      eventually(
          () -> "each node has reported its own: " + operator.statistics(Optional.empty()),
          () -> {
            List<PartitionLoad> loads = operator.statistics(Optional.empty());
            return loads.size() == 2
                && loads.stream()
                    .allMatch(
                        load ->
                            load.keys().orElse(0) == (load.partition().equals(lower) ? 10 : 30));
          });

      assertThat(operator.silentNodes()).isEmpty();
      assertThatThrownBy(() -> operator.statistics(Optional.of("nowhere")))
          .isInstanceOfSatisfying(
              PartitionException.class,
              why -> assertThat(why.reason()).isEqualTo(Reason.NOT_FOUND));
    }
  }

  @Test
  void anotherLeaderHearsOfTheLoadToo() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      eventually("the first leads", first::isLeading);
      cluster.manager("m2");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.names(40).forEach(name -> ClusterTest.add(client, name));
      cluster.stop(first);
      cluster.leader();

      eventually(
          "the next one knows it",
          () ->
              cluster.tool().statistics(Optional.empty()).stream()
                  .anyMatch(load -> load.keys().orElse(0) == 40));
    }
  }

  @Test
  void aNodeThatMayNotReportIsSilentAndLeftAlone() {
    try (Cluster cluster = new Cluster()) {
      ListenerOptions guarded =
          ListenerOptions.defaults().withToken(NODE, Role.NODE).withToken(OPERATOR, Role.OPERATOR);
      PartitionManager manager = cluster.manager("m1", options -> options.withListener(guarded));
      cluster.server(
          "a",
          options -> options.withChannel(ChannelOptions.defaults().withToken(OPERATOR)),
          CounterActor.TYPE);
      PartitionOperator operator =
          cluster.owned(
              PartitionOperator.connect(
                  List.of(manager.address().toString()),
                  ChannelOptions.defaults().withToken(OPERATOR),
                  Duration.ofSeconds(60)));
      eventually("the node is active", () -> operator.routing().size() == 1);

      operator.applyPolicy("{algorithm: auto, split_threshold: 1, check_interval: 100ms}");

      assertThat(operator.silentNodes()).containsExactly("a");
      assertThat(operator.statistics(Optional.empty())).isEmpty();
      String whole = operator.routing().routes().getFirst().partition();
      eventually(
          () -> "the policy says so: " + operator.explain(whole),
          () -> operator.explain(whole).reasons().toString().contains("reports no statistics"));

      cluster.server(
          "b",
          options -> options.withChannel(ChannelOptions.defaults().withToken(NODE)),
          CounterActor.TYPE);
      eventually(
          () -> "the other one reports: " + operator.silentNodes(),
          () -> operator.members().size() == 2 && operator.silentNodes().equals(List.of("a")));
    }
  }

  @Test
  void aPolicySplitsByWhatWasReportedThenRestsAndAnotherLeaderMovesNothing() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      eventually("the first leads", first::isLeading);
      cluster.manager("m2");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.names(40).forEach(name -> ClusterTest.add(client, name));
      PartitionOperator operator = cluster.tool();

      operator.applyPolicy(
          "{algorithm: threshold, check_interval: 100ms, split: {key_threshold: 30}}");

      eventually("it is split", () -> operator.routing().size() == 2);
      awaitDecision(operator);
      assertThat(operator.routing().version()).isEqualTo(2);
      assertThat(ClusterTest.names(40).stream().map(name -> ClusterTest.add(client, name)))
          .containsOnly(2L);
      cluster.stop(first);
      cluster.leader();
      awaitDecision(cluster.tool());
      assertThat(cluster.tool().routing().version()).isEqualTo(2);

      String lower = operator.routing().routes().getFirst().partition();
      String upper = operator.routing().routes().getLast().partition();
      assertThatThrownBy(() -> operator.merge(lower, upper, false))
          .hasMessageContaining("policy threshold is active");
      operator.clearPolicy();
      eventually(
          "the operator may again",
          () -> operator.explain(lower).reasons().toString().contains("the policy is manual"));
      operator.merge(lower, upper, false).orThrow();
    }
  }

  @Test
  void anActorThatCountsNoKeysHasAnUnknownNumber() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(new CountDownLatch(0)));
      PartitionClient client = cluster.client();
      ClusterTest.add(client, "k");
      PartitionOperator operator = cluster.tool();

      eventually("it is reported", () -> !operator.statistics(Optional.empty()).isEmpty());

      assertThat(operator.statistics(Optional.empty()))
          .singleElement()
          .satisfies(load -> assertThat(load.keys()).isEmpty());
    }
  }

  /** Waits until the policy has looked at reports of both halves and left them alone. */
  private static void awaitDecision(PartitionOperator operator) {
    for (Route route : operator.routing().routes()) {
      eventually(
          () -> "no split of " + route.partition() + ": " + operator.explain(route.partition()),
          () -> operator.explain(route.partition()).reasons().toString().contains("of its limit"));
    }
  }
}
