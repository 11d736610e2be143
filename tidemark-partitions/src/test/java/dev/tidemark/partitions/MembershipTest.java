package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.wire.NodeState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Who is let in, who may return, and what nodes of which state allow. */
class MembershipTest {
  private static final ActorType<String, String> OTHER =
      ActorType.of("other", Codec.TEXT, Codec.TEXT, context -> new CounterActor());

  @Test
  void managersThatStartTogetherMakeOneTable() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      PartitionManager second = cluster.manager("m2");
      cluster.server("a");

      eventually("both know a table", () -> first.routing().size() + second.routing().size() >= 2);

      assertThat(first.routing()).isEqualTo(second.routing());
      assertThat(first.routing().version()).isEqualTo(1);
      assertThat(first.routing().routes()).hasSize(1);
    }
  }

  @Test
  void aFailedNodeStaysFailedUntilItIsReset() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1", PartitionManagerOptions::withRegisteredNodesOnly);
      cluster.leader();
      PartitionOperator operator = cluster.tool();
      operator.addNode("a", "");
      cluster.server("a");
      cluster.awaitState("a", NodeState.ACTIVE);

      cluster.kill("a");
      cluster.awaitState("a", NodeState.FAILED);

      assertThatThrownBy(() -> cluster.server("a")).hasMessageContaining("ctl node reset a");
      operator.resetNode("a");
      assertThat(cluster.states()).containsEntry("a", NodeState.WAITING);
      assertThat(cluster.server("a").incarnation()).isEqualTo(2);
      cluster.awaitState("a", NodeState.ACTIVE);
    }
  }

  @Test
  void commandsNeedANodeOfTheRightState() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      cluster.awaitState("a", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      operator.addNode("later", "");

      assertThatThrownBy(() -> operator.addNode("lost", "nonsense"))
          .hasMessageContaining("is no address of a server");
      assertThatThrownBy(() -> operator.addNode("later", "")).hasMessageContaining("already");
      assertThatThrownBy(() -> operator.removeNode("a")).hasMessageContaining("owns partitions");
      assertThatThrownBy(() -> operator.resetNode("a")).hasMessageContaining("only a failed one");
      assertThatThrownBy(() -> operator.resetNode("later")).hasMessageContaining("WAITING");
      assertThatThrownBy(() -> operator.drain("later")).hasMessageContaining("only an active one");
      assertThatThrownBy(() -> operator.removeNode("none")).hasMessageContaining("no node none");
      operator.removeNode("later");
      assertThat(cluster.states()).containsOnlyKeys("a");
    }
  }

  @Test
  void aNodeThatDiesBeforeItWasLetInHasFailedAndCanBeReset() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      eventually("the first leads", first::isLeading);
      cluster.stop(first);
      cluster.server("a");
      cluster.kill("a");

      cluster.manager("m2");
      cluster.awaitState("a", NodeState.FAILED);

      cluster.tool().resetNode("a");
      assertThat(cluster.states()).containsEntry("a", NodeState.WAITING);
    }
  }

  @Test
  void aTypeThatComesLaterHasItsOwnPartitions() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), CounterActor.TYPE, OTHER);
      PartitionClient client = cluster.client();
      ClusterTest.add(client, "k");
      PartitionOperator operator = cluster.tool();
      operator.ensureType("other");
      eventually("the client sees it", () -> client.routing().size() == 2);

      String counters = client.routing().routes("counter").getFirst().partition();
      operator.split(counters, Optional.of(Key.utf8("m")), false).orThrow();

      assertThat(client.send(OTHER, Key.utf8("k"), "add k")).isEqualTo("1");
      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
      eventually("the client sees the split", () -> client.routing().size() == 3);
      assertThat(client.routing().routes("other")).hasSize(1);
    }
  }

  @Test
  void aSecondNodeOfTheSameNameIsRefusedAndTheFirstGoesOn() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      PartitionServer first = cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.add(client, "k");

      assertThatThrownBy(
              () ->
                  cluster.server(
                      "a",
                      options -> options.withJoinTimeout(Duration.ofMillis(100)),
                      CounterActor.TYPE))
          .hasMessageContaining("runs already");

      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
      assertThat(first.incarnation()).isEqualTo(1);
    }
  }
}
