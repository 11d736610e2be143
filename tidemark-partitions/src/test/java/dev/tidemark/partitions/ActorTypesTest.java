package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.wire.NodeState;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which node gets the first partition of a type, and what happens where none has the type. */
class ActorTypesTest {
  private static final ActorType<String, String> RARE =
      ActorType.of("rare", Codec.TEXT, Codec.TEXT, context -> new CounterActor());

  private static PartitionManagerOptions bothTypes(PartitionManagerOptions options) {
    return PartitionManagerOptions.forTypes("counter", "rare")
        .withId(options.id())
        .withCluster(Subspace.of("cluster"))
        .withLeases(Cluster.LEASE, Cluster.LEASE);
  }

  @Test
  void eachTypeOfTheManagerBeginsOnANodeThatHasIt() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1", ActorTypesTest::bothTypes);
      cluster.server("a");
      PartitionClient client = cluster.client();
      assertThat(ClusterTest.add(client, "k")).isEqualTo(1);
      assertThat(client.routing().routes("rare")).isEmpty();

      cluster.server("b", UnaryOperator.identity(), RARE);

      assertThat(client.send(RARE, Key.utf8("k"), "add k")).isEqualTo("1");
      assertThat(client.routing().routes("rare"))
          .singleElement()
          .satisfies(
              route -> {
                assertThat(route.node()).isEqualTo("b");
                assertThat(route.range()).isEqualTo(PartitionRange.ALL);
              });
      assertThat(client.routing().routes("counter"))
          .singleElement()
          .extracting(Route::node)
          .isEqualTo("a");
    }
  }

  @Test
  void aTypeThatNoNodeHasIsRefused() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      cluster.awaitState("a", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      eventually("the first type is there", () -> operator.routing().size() == 1);

      assertThatThrownBy(() -> operator.ensureType("rare"))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.NOT_FOUND))
          .hasMessageContaining("No active node has the actor type rare; active are a");
      assertThatThrownBy(() -> operator.ensureType(" ")).hasMessageContaining("has no name");
      assertThat(operator.routing().version()).isEqualTo(1);

      cluster.server("b", UnaryOperator.identity(), RARE);
      cluster.awaitState("b", NodeState.ACTIVE);
      operator.ensureType("rare");
      operator.ensureType("rare");
      assertThat(operator.routing().routes("rare"))
          .singleElement()
          .extracting(Route::node)
          .isEqualTo("b");
    }
  }

  @Test
  void aTypeWaitsWhereNoNodeIsActive() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.leader();

      assertThatThrownBy(() -> cluster.tool().ensureType("rare"))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.BUSY))
          .hasMessageContaining("start a server");
    }
  }

  @Test
  void aPartitionIsNotMovedToANodeWithoutItsTypeNorMergedWithAnotherType() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1", ActorTypesTest::bothTypes);
      cluster.server("a", UnaryOperator.identity(), CounterActor.TYPE, RARE);
      PartitionClient client = cluster.client();
      assertThat(client.send(RARE, Key.utf8("k"), "add k")).isEqualTo("1");
      assertThat(ClusterTest.add(client, "k")).isEqualTo(1);
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      String rare = operator.routing().routes("rare").getFirst().partition();
      String counters = operator.routing().routes("counter").getFirst().partition();

      assertThat(operator.migrate(rare, "b", false).error())
          .hasValueSatisfying(
              why -> assertThat(why).contains("actor type rare, which this server does not have"));
      operator.split(rare, Optional.of(Key.utf8("m")), false).orThrow();
      assertThat(operator.merge(rare, counters, false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("only neighbours can be merged"));

      assertThat(client.send(RARE, Key.utf8("k"), "add k")).isEqualTo("2");
      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
    }
  }
}
