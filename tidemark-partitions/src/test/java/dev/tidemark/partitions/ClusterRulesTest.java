package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.ClusterFormat;
import dev.tidemark.partitions.internal.store.CounterRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ClusterRulesTest {
  private static final ActorType<String, String> RARE =
      ActorType.of("rare", Codec.TEXT, Codec.TEXT, context -> new CounterActor());

  @Test
  void operationsThatMakeNoSenseChangeNothing() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.add(client, "k");
      PartitionOperator operator = cluster.tool();
      String whole = client.routing().routes().getFirst().partition();

      assertThat(operator.split(whole, Optional.of(Key.EMPTY), false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("cannot be split at"));
      assertThat(operator.migrate(whole, "nowhere", false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("nowhere is unknown"));
      assertThat(operator.migrate(whole, "a", false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("on node a already"));
      assertThatThrownBy(() -> operator.split("none", Optional.empty(), false))
          .isInstanceOfSatisfying(
              PartitionException.class,
              why -> assertThat(why.reason()).isEqualTo(Reason.NOT_FOUND));
      assertThatThrownBy(() -> operator.drain("nowhere"))
          .isInstanceOfSatisfying(
              PartitionException.class,
              why -> assertThat(why.reason()).isEqualTo(Reason.NOT_FOUND));
      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
      assertThat(operator.routing().version()).isEqualTo(1);
      assertThat(operator.operations(true)).isEmpty();
    }
  }

  @Test
  void theLastNodeIsNotDrainedAndGoesOn() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.add(client, "k");

      PartitionOperation drain = cluster.tool().drain("a");

      assertThat(drain.error()).hasValueSatisfying(why -> assertThat(why).contains("the last"));
      assertThat(cluster.states()).containsEntry("a", NodeState.ACTIVE);
      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
    }
  }

  @Test
  void aPartitionThatNoOtherNodeTakesHoldsUpNoOtherAndIsTriedAgainInPauses() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), CounterActor.TYPE, RARE);
      cluster.awaitState("a", NodeState.ACTIVE);
      PartitionClient client = cluster.client();
      cluster.tool().ensureType("rare");
      eventually("both types are there", () -> client.routing().size() == 2);
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);

      DrainNodeRequest request =
          DrainNodeRequest.newBuilder()
              .setNodeId("a")
              .setOptions(RequestOptions.newBuilder().setDetached(true))
              .build();
      String drain = cluster.operator().drainNode(request).getOperation().getOperationId();

      eventually(
          "the common one has moved",
          () -> client.routing().routes("counter").getFirst().node().equals("b"));
      eventually(
          () -> "the drain says what is left: " + cluster.tool().operations(false),
          () -> cluster.tool().operation(drain).error().orElse("").contains("has 1 partitions"));
      assertThat(client.routing().routes("rare")).extracting(Route::node).containsOnly("a");
      assertThat(cluster.tool().operations(false)).hasSizeLessThan(50);
      assertThat(cluster.tool().cancel(drain).state())
          .isEqualTo(PartitionOperation.State.CANCELLED);
      assertThat(cluster.states()).containsEntry("a", NodeState.ACTIVE);
    }
  }

  @Test
  void aPartitionOfALostNodeGoesToANodeThatHasItsType() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), CounterActor.TYPE, RARE);
      cluster.awaitState("a", NodeState.ACTIVE);
      PartitionClient client = cluster.client();
      cluster.tool().ensureType("rare");
      eventually("both types are there", () -> client.routing().size() == 2);
      assertThat(client.send(RARE, Key.utf8("k"), "add k")).isEqualTo("1");
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      cluster.kill("a");
      eventually(
          "the common one has moved",
          () -> client.routing().routes("counter").getFirst().node().equals("b"));

      cluster.server("c", UnaryOperator.identity(), CounterActor.TYPE, RARE);

      assertThat(client.send(RARE, Key.utf8("k"), "add k")).isEqualTo("2");
      assertThat(client.routing().routes("rare")).extracting(Route::node).containsOnly("c");
    }
  }

  @Test
  void aManagerRefusesAClusterOfANewerFormat() {
    try (Cluster cluster = new Cluster()) {
      PartitionKeys keys = new PartitionKeys(Subspace.of("cluster"));
      cluster.database.run(
          tx -> tx.set(keys.format(), new CounterRow(ClusterFormat.VERSION + 1).encode()));

      assertThatThrownBy(() -> cluster.manager("m1"))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why.reason()).isEqualTo(Reason.CORRUPT))
          .hasMessageContaining("is of format 2");
    }
  }

  @Test
  void aNodeHasToBeRegisteredWhereTheManagerSaysSo() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1", PartitionManagerOptions::withRegisteredNodesOnly);
      cluster.leader();

      assertThatThrownBy(() -> cluster.server("a"))
          .isInstanceOfSatisfying(
              PartitionException.class, why -> assertThat(why).hasMessageContaining("a"));
      cluster.tool().addNode("a", "");
      cluster.server("a");

      cluster.awaitState("a", NodeState.ACTIVE);
      assertThatThrownBy(() -> cluster.tool().addNode("a", ""))
          .hasMessageContaining("registered already");
    }
  }

  @Test
  void twoWatchersOfOneNameDoNotDisturbEachOther() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient first = cluster.client(options -> options.withName("same"));
      PartitionClient second = cluster.client(options -> options.withName("same"));

      first.close();
      ClusterTest.split(cluster, second.routing().routes().getFirst().partition(), "m");

      eventually("the second sees the split", () -> second.routing().size() == 2);
    }
  }

  @Test
  void aStandbyRefusesChangesAndNamesTheLeader() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager leader = cluster.manager("m1");
      eventually("the first leads", leader::isLeading);
      PartitionManager standby = cluster.manager("m2");
      cluster.server("a");
      eventually("the standby knows the table", () -> standby.routing().size() == 1);

      assertThatThrownBy(
              () ->
                  cluster
                      .operator(standby)
                      .split(
                          SplitRequest.newBuilder()
                              .setPartitionId(standby.routing().routes().getFirst().partition())
                              .build()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining(leader.address().toString());
    }
  }

  @Test
  void aPolicyOutlivesItsManagerAndHoldsUpOnlyBalancingByHand() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      eventually("the first leads", first::isLeading);
      cluster.manager("m2");
      cluster.server("a");
      PartitionClient client = cluster.client();
      ClusterTest.names(10).forEach(name -> ClusterTest.add(client, name));
      String yaml = "{algorithm: auto, split_threshold: 1000000, check_interval: 1h}";
      PartitionOperator operator = cluster.tool();
      operator.applyPolicy(yaml);

      cluster.stop(first);
      cluster.leader();

      String whole = client.routing().routes().getFirst().partition();
      assertThat(operator.policy()).contains(yaml);
      assertThatThrownBy(() -> operator.split(whole, Optional.empty(), false))
          .hasMessageContaining("policy auto is active");
      assertThat(operator.split(whole, Optional.empty(), true).state())
          .isEqualTo(PartitionOperation.State.DONE);
      assertThatThrownBy(() -> operator.applyPolicy("algorithm: magic"))
          .hasMessageContaining("magic");
      assertThatThrownBy(() -> operator.applyPolicy("{algorithm: ["))
          .hasMessageContaining("is no YAML");
      assertThat(operator.policy()).contains(yaml);
    }
  }

  @Test
  void aManagerTakesOrdersOnlyFromThoseWhoMayGiveThem() {
    try (Cluster cluster = new Cluster()) {
      ListenerOptions guarded =
          ListenerOptions.defaults()
              .withToken("reader-secret-of-some-length", Role.READ)
              .withToken("writer-secret-of-some-length", Role.WRITE)
              .withToken("operator-secret-of-some-length", Role.OPERATOR)
              .withToken("node-secret-of-some-length", Role.NODE);
      PartitionManager manager = cluster.manager("m1", options -> options.withListener(guarded));
      for (String node : List.of("a", "b")) {
        cluster.server(
            node,
            options ->
                options.withChannel(
                    ChannelOptions.defaults().withToken("node-secret-of-some-length")),
            CounterActor.TYPE);
      }
      PartitionOperator operator = operator(cluster, manager, "operator");
      eventually(
          "both are active",
          () ->
              operator.members().stream()
                      .filter(member -> member.state() == ClusterMember.State.ACTIVE)
                      .count()
                  == 2);
      for (String role : List.of("reader", "writer")) {
        PartitionOperator other = operator(cluster, manager, role);
        assertThat(other.members()).hasSize(2);
        assertThatThrownBy(() -> other.drain("a"))
            .isInstanceOfSatisfying(
                PartitionException.class,
                why -> assertThat(why.reason()).isEqualTo(Reason.REFUSED));
        assertThatThrownBy(() -> other.applyPolicy("algorithm: manual"))
            .isInstanceOfSatisfying(
                PartitionException.class,
                why -> assertThat(why.reason()).isEqualTo(Reason.REFUSED));
      }
      assertThat(operator.policy()).isEmpty();

      cluster.leave("a"); // drained with the role of a node

      assertThat(cluster.ownerships().values()).extracting(OwnershipRow::node).containsOnly("b");
    }
  }

  private static PartitionOperator operator(
      Cluster cluster, PartitionManager manager, String role) {
    return cluster.owned(
        PartitionOperator.connect(
            List.of(manager.address().toString()),
            ChannelOptions.defaults().withToken(role + "-secret-of-some-length"),
            Duration.ofSeconds(60)));
  }
}
