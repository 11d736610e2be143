package dev.tidemark.partitions;

import static dev.tidemark.partitions.ClusterTest.add;
import static dev.tidemark.partitions.ClusterTest.names;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.wire.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and managers end, alone and together, and everything is served again. */
class ClusterFailureTest {
  @Test
  void aNodeThatSaysAWrongAddressHoldsUpNoFailover() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      // Plain text may not go there; an address that no name server knows fails in the same way.
      cluster.server(
          "astray",
          options -> options.withAdvertisedAddress("203.0.113.1:7500"),
          CounterActor.TYPE);
      assertThat(cluster.states()).containsEntry("astray", NodeState.WAITING);

      cluster.kill("a");

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("b");
      assertThat(cluster.states()).containsEntry("astray", NodeState.WAITING);
    }
  }

  @Test
  void partitionsOfANodeThatDiedWhileNoManagerRanAreTakenOver() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient before = cluster.client();
      names(20).forEach(name -> add(before, name));
      cluster.stop(first);
      cluster.kill("a");

      cluster.manager("m2");

      PartitionClient after = cluster.client();
      assertThat(names(20).stream().map(name -> add(after, name))).containsOnly(2L);
      assertThat(after.routing().routes()).extracting(Route::node).containsOnly("b");
    }
  }

  @Test
  void withFailoverByHandPartitionsWaitForTheirOperator() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager(
          "m1",
          options -> options.withPolicy(Policy.manual().withFailover(Policy.Failover.MANUAL)));
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      String upper = operator.routing().routes("counter").getLast().partition();

      cluster.kill("a");
      cluster.awaitState("a", NodeState.FAILED);
      // The look at the nodes that lets this one in follows the one that has seen the partitions.
      cluster.server("c");
      cluster.awaitState("c", NodeState.ACTIVE);
      assertThat(operator.operations(false))
          .extracting(PartitionOperation::kind)
          .doesNotContain("failover");
      assertThat(operator.routing().routes()).extracting(Route::node).containsOnly("a");

      operator.failover(lower, Optional.empty()).orThrow();
      operator.migrate(upper, "b", false).orThrow();
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
    }
  }

  @Test
  void whenEveryNodeHasDiedTheNextOneTakesEverything() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      String whole = client.routing().routes().getFirst().partition();
      operator.split(whole, Optional.of(Key.utf8("k010")), false).orThrow();
      operator.migrate(whole, "b", false).orThrow();

      cluster.kill("a");
      cluster.kill("b");
      cluster.awaitState("a", NodeState.FAILED);
      cluster.awaitState("b", NodeState.FAILED);
      cluster.server("c");

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("c");
    }
  }

  @Test
  void theSurvivorOfThreeTakesEverything() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      cluster.server("c");
      cluster.awaitState("c", NodeState.ACTIVE);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      String whole = client.routing().routes().getFirst().partition();
      cluster.tool().split(whole, Optional.of(Key.utf8("k010")), false).orThrow();

      cluster.kill("a");
      cluster.kill("b");

      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("c");
    }
  }

  @Test
  void aServerThatFindsNoManagerEndsAndItsNextStartHasItsState() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      cluster.server(
          "a", options -> options.withDrainTimeout(Duration.ofSeconds(1)), CounterActor.TYPE);
      PartitionClient before = cluster.client();
      names(20).forEach(name -> add(before, name));
      cluster.stop(first);

      cluster.leave("a");

      cluster.manager("m2");
      cluster.server("a");
      PartitionClient after = cluster.client();
      assertThat(names(20).stream().map(name -> add(after, name))).containsOnly(2L);
    }
  }

  // After the write of the drain with this number its leader reaches nothing any more.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aDrainGoesOnWithTheNextLeaderAndTheServerWaitsForIt(int write) {
    Crash crash = Crash.ofOperations(write);
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.crashing("m1", crash);
      eventually("the first leads", first::isLeading);
      PartitionManager second = cluster.manager("m2");
      cluster.server("a");
      cluster.awaitState("a", NodeState.ACTIVE);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.server("b");
      cluster.awaitState("b", NodeState.ACTIVE);
      crash.arm();

      cluster.leave("a");

      assertThat(crash.hasHappened()).isTrue();
      assertThat(cluster.ownerships().values()).extracting(OwnershipRow::node).containsOnly("b");
      assertThat(second.isLeading()).isTrue();
      cluster.stop(first);
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(cluster.tool().operations(false))
          .extracting(PartitionOperation::kind)
          .doesNotContain("failover");
    }
  }

  @Test
  void aServerThatLeavesWhileNobodyLeadsAsksWhoeverLeadsNext() throws InterruptedException {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient before = cluster.client();
      names(20).forEach(name -> add(before, name));
      cluster.stop(first);

      Thread leaving = Thread.startVirtualThread(() -> cluster.leave("a"));
      cluster.manager("m2");
      leaving.join();

      assertThat(cluster.ownerships().values()).extracting(OwnershipRow::node).containsOnly("b");
      PartitionClient after = cluster.client();
      assertThat(names(20).stream().map(name -> add(after, name))).containsOnly(2L);
    }
  }

  @Test
  void aMigrationToANodeThatHasDiedFailsAndThePartitionStays() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      cluster.kill("b");

      PartitionOperation moved =
          cluster.tool().migrate(client.routing().routes().getFirst().partition(), "b", false);

      assertThat(moved.state()).as(moved.toString()).isEqualTo(PartitionOperation.State.FAILED);
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("a");
    }
  }

  @Test
  void aSplitOnANodeThatHasDiedFailsAndDoesNotHoldUpTheFailover() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      String whole = client.routing().routes().getFirst().partition();
      cluster.kill("a");

      PartitionOperation split = operator.split(whole, Optional.of(Key.utf8("k010")), false);

      assertThat(split.state()).as(split.toString()).isEqualTo(PartitionOperation.State.FAILED);
      assertThat(split.error())
          .hasValueSatisfying(
              why -> assertThat(why).contains("is gone; its partitions move first"));
      assertThat(names(20).stream().map(name -> add(client, name))).containsOnly(2L);
      operator.split(whole, Optional.of(Key.utf8("k010")), false).orThrow();
    }
  }

  @Test
  void aNodeIsDrainedUnderLoadWhileAPolicyIsActive() {
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      cluster.tool().applyPolicy("{algorithm: auto, split_threshold: 1000000, check_interval: 1h}");
      Ledger ledger = new Ledger(client).start(8, 100);
      eventually("workers write", () -> ledger.writes() > 100);

      cluster.leave("a");

      assertThat(ledger.verify(client)).isEmpty();
      assertThat(ledger.failures()).isZero();
      assertThat(client.routing().routes()).extracting(Route::node).containsOnly("b");
      cluster.awaitState("a", NodeState.WAITING);
    }
  }

  @Test
  void everyChangeHasAHigherVersionAndARestartHasNone() {
    try (Cluster cluster = new Cluster()) {
      PartitionManager first = cluster.manager("m1");
      twoNodes(cluster);
      PartitionClient client = cluster.client();
      names(20).forEach(name -> add(client, name));
      PartitionOperator operator = cluster.tool();
      List<Long> versions = new ArrayList<>(List.of(operator.routing().version()));
      String lower = client.routing().routes().getFirst().partition();
      operator.split(lower, Optional.of(Key.utf8("k010")), false).orThrow();
      versions.add(operator.routing().version());
      operator.migrate(lower, "b", false).orThrow();
      versions.add(operator.routing().version());
      operator.migrate(lower, "a", false).orThrow();
      versions.add(operator.routing().version());
      assertThat(operator.migrate(lower, "nowhere", false).state())
          .isEqualTo(PartitionOperation.State.FAILED);
      assertThat(operator.routing().version()).isEqualTo(versions.getLast());

      PartitionManager second = cluster.manager("m2");
      cluster.stop(first);
      eventually("the second leads", second::isLeading);
      PartitionOperator again = cluster.tool();
      assertThat(again.routing().version()).isEqualTo(versions.getLast());
      List<Route> halves = again.routing().routes("counter");
      again.merge(halves.get(0).partition(), halves.get(1).partition(), false).orThrow();
      versions.add(again.routing().version());
      cluster.kill("a");
      PartitionClient after = cluster.client();
      assertThat(names(20).stream().map(name -> add(after, name))).containsOnly(2L);
      versions.add(after.routing().version());

      assertThat(versions).isSorted().doesNotHaveDuplicates();
    }
  }

  private static void twoNodes(Cluster cluster) {
    cluster.server("a");
    cluster.awaitState("a", NodeState.ACTIVE);
    eventually("the first has it", () -> cluster.leader().routing().size() == 1);
    cluster.server("b");
    cluster.awaitState("b", NodeState.ACTIVE);
  }
}
