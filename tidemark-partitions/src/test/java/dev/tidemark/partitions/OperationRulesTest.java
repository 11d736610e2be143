package dev.tidemark.partitions;

import static dev.tidemark.partitions.ClusterTest.add;
import static dev.tidemark.partitions.ClusterTest.names;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.wire.ListOperationsRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.Operation;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What operations refuse, and what becomes of them without their callers. */
class OperationRulesTest {
  @Test
  void theWrongTypeIsRefusedByEveryOperation() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      add(client, "k");
      String whole = client.routing().routes().getFirst().partition();
      var operator = cluster.operator();

      List<Operation> refused =
          List.of(
              operator
                  .split(SplitRequest.newBuilder().setPartitionId(whole).setActorType("no").build())
                  .getOperation(),
              operator
                  .migrate(
                      MigrateRequest.newBuilder()
                          .setPartitionId(whole)
                          .setActorType("no")
                          .setTargetNodeId("a")
                          .build())
                  .getOperation());

      assertThat(refused)
          .allSatisfy(
              operation -> {
                assertThat(operation.getState()).isEqualTo(Operation.State.FAILED);
                assertThat(operation.getError()).contains("is of type counter, not of no");
              });
      assertThatThrownBy(() -> cluster.tool().merge(whole, whole, false))
          .hasMessageContaining("cannot be merged with itself");
      assertThat(cluster.leader().routing().version()).isEqualTo(1);
    }
  }

  @Test
  void neighboursOnTwoNodesAreNotMerged() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      operator.migrate(lower, "b", false).orThrow();
      String upper = operator.routing().routes().get(1).partition();

      assertThat(operator.merge(lower, upper, false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("migrate one of them first"));
      assertThat(operator.merge(upper, lower, false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("only neighbours"));
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
    }
  }

  @Test
  void aRepeatedCallFindsTheOperationOfTheFirst() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      SplitRequest request =
          SplitRequest.newBuilder()
              .setPartitionId(client.routing().routes().getFirst().partition())
              .setHasSplitKey(true)
              .setSplitKey(ByteString.copyFromUtf8("k010"))
              .setOptions(RequestOptions.newBuilder().setOperationId("mine"))
              .build();

      Operation first = cluster.operator().split(request).getOperation();
      Operation second = cluster.operator().split(request).getOperation();

      assertThat(first.getState()).isEqualTo(Operation.State.DONE);
      assertThat(second).isEqualTo(first);
      assertThat(cluster.leader().routing().version()).isEqualTo(2);
    }
  }

  @Test
  void anOperationGoesOnWithoutItsCallerAndLocksItsPartition() {
    CountDownLatch gate = new CountDownLatch(1);
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(gate));
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b", UnaryOperator.identity(), GatedActor.type(gate));
      cluster.awaitState("b", NodeState.ACTIVE);
      String whole = client.routing().routes().getFirst().partition();
      MigrateRequest request =
          MigrateRequest.newBuilder().setPartitionId(whole).setTargetNodeId("b").build();

      assertThatThrownBy(
              () -> cluster.operator().withDeadlineAfter(1, TimeUnit.SECONDS).migrate(request))
          .isInstanceOf(StatusRuntimeException.class);
      assertThatThrownBy(() -> cluster.operator().migrate(request))
          .hasMessageContaining("is at work on partition");
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      gate.countDown();

      eventually(
          "the migration ends",
          () -> cluster.leader().routing().routes().getFirst().node().equals("b"));
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(3L);
    } finally {
      gate.countDown();
    }
  }

  @Test
  void aCancelledOperationHasChangedNothing() {
    CountDownLatch gate = new CountDownLatch(1);
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(gate));
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b", UnaryOperator.identity(), GatedActor.type(gate));
      cluster.awaitState("b", NodeState.ACTIVE);
      String whole = client.routing().routes().getFirst().partition();
      cluster
          .operator()
          .migrate(
              MigrateRequest.newBuilder()
                  .setPartitionId(whole)
                  .setTargetNodeId("b")
                  .setOptions(RequestOptions.newBuilder().setDetached(true).setOperationId("mine"))
                  .build());

      PartitionOperation cancelled = cluster.tool().cancel("mine");

      assertThat(cancelled.state()).isEqualTo(PartitionOperation.State.CANCELLED);
      gate.countDown();
      eventually(
          "nothing runs any more",
          () ->
              cluster
                  .operator()
                  .listOperations(ListOperationsRequest.newBuilder().setRunningOnly(true).build())
                  .getOperationsList()
                  .isEmpty());
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(cluster.leader().routing().version()).isEqualTo(1);
    } finally {
      gate.countDown();
    }
  }

  @Test
  void aHintIsFollowedUnlessAKeyIsGiven() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(new CountDownLatch(0)));
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();

      operator.split(lower, Optional.of(Key.utf8("k015")), false).orThrow();
      operator.split(lower, Optional.empty(), false).orThrow();

      assertThat(operator.routing().routes())
          .extracting(route -> route.range().start())
          .containsExactly(Key.EMPTY, GatedActor.HINT, Key.utf8("k015"));
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
    }
  }

  @Test
  void aKeyOutsideThePartitionOrTooLongIsRefused() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a");
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      String upper = operator.routing().routes().getLast().partition();

      for (String outside : List.of("k010", "k015")) {
        assertThat(operator.split(lower, Optional.of(Key.utf8(outside)), false).error())
            .hasValueSatisfying(
                why -> assertThat(why).contains("cannot be split at").contains(outside));
      }
      for (String outside : List.of("k010", "k005")) {
        assertThat(operator.split(upper, Optional.of(Key.utf8(outside)), false).error())
            .hasValueSatisfying(
                why -> assertThat(why).contains("cannot be split at").contains(outside));
      }
      Key longKey = Key.of(new byte[10_001]);
      assertThatThrownBy(() -> operator.split(upper, Optional.of(longKey), false))
          .isInstanceOfSatisfying(
              PartitionException.class,
              why -> assertThat(why.reason()).isEqualTo(PartitionException.Reason.INVALID))
          .hasMessageContaining("10,001 bytes; 10,000 is the most");

      assertThat(operator.routing().version()).isEqualTo(2);
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
    }
  }

  @Test
  void aHintOutsideThePartitionIsNotTaken() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(new CountDownLatch(0)));
      PartitionClient client = cluster.client();
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      String upper = operator.routing().routes().getLast().partition();
      names(50).stream().skip(10).forEach(name -> add(client, name));

      operator.split(upper, Optional.empty(), false).orThrow();

      assertThat(operator.routing().routes().getLast().range().start().compareTo(Key.utf8("k010")))
          .isPositive();
    }
  }

  @Test
  void aPartitionMovesToNoNodeThatIsWaitingOrDraining() {
    CountDownLatch gate = new CountDownLatch(1);
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", UnaryOperator.identity(), GatedActor.type(gate));
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      String lower = client.routing().routes().getFirst().partition();
      PartitionOperator operator = cluster.tool();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      String upper = operator.routing().routes().getLast().partition();
      operator.addNode("later", "");
      cluster.server("b", UnaryOperator.identity(), GatedActor.type(gate));
      cluster.awaitState("b", NodeState.ACTIVE);
      cluster.server("c", UnaryOperator.identity(), GatedActor.type(gate));
      cluster.awaitState("c", NodeState.ACTIVE);

      assertThat(operator.migrate(lower, "later", false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("later is unknown, or not active"));
      operator.drain("c").orThrow();
      assertThat(cluster.states()).containsEntry("c", NodeState.DRAINING);
      assertThat(operator.migrate(upper, "c", false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("c is unknown, or not active"));

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(operator.routing().routes()).extracting(Route::node).containsOnly("a");
    } finally {
      gate.countDown();
    }
  }

  @Test
  void anActorThatCannotBeWrittenOrLoadedStaysWhereItIs() {
    AtomicBoolean exportFails = new AtomicBoolean();
    AtomicBoolean loadFails = new AtomicBoolean();
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      ActorType<String, String> type = FailingActor.type(exportFails, loadFails);
      cluster.server("a", UnaryOperator.identity(), type);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b", UnaryOperator.identity(), type);
      cluster.awaitState("b", NodeState.ACTIVE);
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      String upper = operator.routing().routes().getLast().partition();

      exportFails.set(true);
      assertThat(operator.split(upper, Optional.of(Key.utf8("k015")), false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("the export was to fail"));
      assertThat(operator.merge(lower, upper, false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("the export was to fail"));
      exportFails.set(false);
      loadFails.set(true);
      assertThat(operator.migrate(lower, "b", false).error())
          .hasValueSatisfying(why -> assertThat(why).contains("the load was to fail"));
      loadFails.set(false);

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      operator.merge(lower, upper, false).orThrow();
      operator.migrate(lower, "b", false).orThrow();
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(3L);
    }
  }
}
