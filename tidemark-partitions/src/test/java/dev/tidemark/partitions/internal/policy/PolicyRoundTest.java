package dev.tidemark.partitions.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyRoundTest {
  private static final Policy THRESHOLD =
      Policy.parse(
          """
          algorithm: threshold
          check_interval: 10s
          cooldown: {global: 5s, partition: 60s}
          split: {rps_threshold: 1000, key_threshold: 500}
          merge: {rps_threshold: 100, key_threshold: 50, stable_rounds: 3}
          balance: {max_partition_diff: 2, rps_imbalance_pct: 1000}
          """);
  private static final long NOW = 1_000_000_000L;

  private final List<NodeLoad> nodes = new ArrayList<>();
  private final List<PartitionLoad> partitions = new ArrayList<>();

  @Test
  void thePartitionThatExceedsItsLimitMostIsSplitAloneInARound() {
    nodes("a");
    partition("a", 1_500, 10);
    partition("a", 100, 1_100);
    partition("a", 1_001, 10);

    assertThat(decide(THRESHOLD).action())
        .hasValueSatisfying(
            action ->
                assertThat(action)
                    .isEqualTo(new Action.Split("p1", "100.0 requests a second, 1100 keys")));
  }

  @Test
  void aPartitionAtItsLimitIsNotSplitAndSaysWhy() {
    nodes("a");
    partition("a", 1_000, 500);

    Decision decision = decide(THRESHOLD);

    assertThat(decision.action()).isEmpty();
    assertThat(decision.reasonsFor("p0")).contains("no split: at 100% of its limit");
  }

  @Test
  void anUnknownNumberOfKeysNeitherSplitsNorMerges() {
    nodes("a");
    partition("a", 1, -1);
    partition("a", 1, -1);

    PolicyMemory memory = PolicyMemory.EMPTY;
    for (int round = 0; round < 5; round++) {
      Decision decision = decide(THRESHOLD, memory, NOW + round);
      memory = decision.memory();
      assertThat(decision.action()).isEmpty();
      assertThat(decision.reasonsFor("p0"))
          .contains(
              "no split by keys: the actor does not count them",
              "no merge with p1: the number of keys is unknown");
    }
  }

  @Test
  void partitionsOfASilentNodeAreLeftAlone() {
    nodes.add(new NodeLoad("a", true, false, ""));
    nodes("b");
    partitions.add(new PartitionLoad(route("a"), Optional.empty(), false));

    Decision decision = decide(Policy.auto(1, Duration.ofSeconds(1)));

    assertThat(decision.action()).isEmpty();
    assertThat(decision.general()).contains("no moves: node a reports nothing");
    assertThat(decision.reasonsFor("p0"))
        .contains("no split: its node reports no statistics of it");
  }

  @Test
  void neighboursAreMergedAfterEnoughSmallRoundsInSuccession() {
    nodes("a");
    partition("a", 10, 10);
    partition("a", 20, 10);
    Decision first = decide(THRESHOLD);
    Decision second = decide(THRESHOLD, first.memory(), NOW + 1);
    Decision third = decide(THRESHOLD, second.memory(), NOW + 2);

    assertThat(first.action()).isEmpty();
    assertThat(second.reasonsFor("p0")).contains("no merge with p1 yet: small in 2 rounds of 3");
    assertThat(third.action())
        .contains(new Action.Merge("p0", "p1", "30.0 requests a second together"));
  }

  @Test
  void aBadRoundStartsTheCountOfAMergeAgain() {
    nodes("a");
    partition("a", 10, 10);
    partition("a", 20, 10);
    PolicyMemory memory = decide(THRESHOLD, decide(THRESHOLD).memory(), NOW).memory();
    PartitionLoad quiet = partitions.get(1);
    partitions.set(
        1,
        new PartitionLoad(quiet.route(), Optional.of(new Load(95, OptionalLong.of(10), 1)), false));
    memory = decide(THRESHOLD, memory, NOW).memory();
    partitions.set(1, quiet);

    assertThat(decide(THRESHOLD, memory, NOW).action()).isEmpty();
    assertThat(decide(THRESHOLD, memory, NOW).memory().mergeRounds()).containsEntry("p0", 1);
  }

  @Test
  void onlySmallNeighboursAreMergedAndOnlyWhereThePolicySaysSo() {
    nodes("a");
    partition("a", 10, 10);
    partition("a", 500, 10);
    partition("a", 20, 10);
    assertThat(afterRounds(THRESHOLD, 5).action()).isEmpty();

    partitions.remove(1);
    assertThat(afterRounds(THRESHOLD, 5).action()).as("a gap between them").isEmpty();

    partitions.clear();
    partition("a", 20, 10);
    partition("a", 80, 10);
    assertThat(afterRounds(THRESHOLD, 5).action()).as("exactly at the limit").isEmpty();

    partitions.clear();
    partition("a", 20, 10);
    partition("a", 70, 10);
    assertThat(afterRounds(THRESHOLD, 5).action()).isPresent();
    Policy withoutMerges =
        Policy.parse("{algorithm: threshold, check_interval: 10s, split: {rps_threshold: 1000}}");
    assertThat(afterRounds(withoutMerges, 5).action()).isEmpty();
  }

  private Decision afterRounds(Policy policy, int rounds) {
    Decision decision = decide(policy);
    for (int round = 1; round < rounds && decision.action().isEmpty(); round++) {
      decision = decide(policy, decision.memory(), NOW + round);
    }
    return decision;
  }

  @Test
  void theFullestNodeGivesItsColdestPartitionToTheEmptiest() {
    nodes("a", "b");
    for (int i = 0; i < 4; i++) {
      partition("a", 100 + i, 400);
    }
    partition("b", 400, 400);

    assertThat(decide(THRESHOLD).action())
        .contains(new Action.Move("p0", "a", "b", 0, "a has 3 partitions more than b"));
  }

  @Test
  void nodesThatDifferByTheLimitAreLeftAlone() {
    nodes("a", "b");
    partition("a", 100, 400);
    partition("a", 100, 400);
    partition("a", 100, 400);
    partition("b", 300, 400);

    assertThat(decide(THRESHOLD).action()).isEmpty();
  }

  @Test
  void theClusterAndThePartitionRestAfterAnAction() {
    nodes("a");
    partition("a", 2_000, 10);
    PolicyMemory memory =
        PolicyMemory.EMPTY.after(new Action.Split("p0", "it was hot"), NOW - 1_000_000);

    Decision cluster = decide(THRESHOLD, memory, NOW);
    Decision partition = decide(THRESHOLD, memory, NOW + 10_000_000);
    Decision later = decide(THRESHOLD, memory, NOW + 60_000_000);

    assertThat(cluster.general().getFirst()).contains("4000 ms").contains("cooldown.global");
    assertThat(partition.action()).isEmpty();
    assertThat(partition.reasonsFor("p0").getLast()).contains("cooldown.partition");
    assertThat(later.action()).isPresent();
  }

  @Test
  void nothingMovesWhileTwoGenerationsAreActive() {
    nodes.add(new NodeLoad("a", true, true, "1"));
    nodes.add(new NodeLoad("b", true, true, "2"));
    partition("a", 500, 10);
    partition("a", 400, 10);

    Decision decision = decide(Policy.auto(10_000, Duration.ofSeconds(1)));

    assertThat(decision.action()).isEmpty();
    assertThat(decision.general().getFirst()).contains("rolling restart");
  }

  @Test
  void aPartitionInAnOperationIsLeftAlone() {
    nodes("a");
    partitions.add(
        new PartitionLoad(route("a"), Optional.of(new Load(5_000, OptionalLong.of(9), 1)), true));

    Decision decision = decide(THRESHOLD);

    assertThat(decision.action()).isEmpty();
    assertThat(decision.reasonsFor("p0")).contains("an operation is at work on it");
  }

  @Test
  void aManualPolicyNeverActs() {
    nodes("a", "b");
    partition("a", 1e9, 1_000_000);

    assertThat(decide(Policy.manual()).action()).isEmpty();
  }

  @Test
  void aPartitionIsPlacedOnTheLeastLoadedNodeOfTheNewestGeneration() {
    nodes.add(new NodeLoad("a", true, true, "1"));
    nodes.add(new NodeLoad("b", true, true, "2"));
    nodes.add(new NodeLoad("c", true, true, "2"));
    nodes.add(new NodeLoad("d", false, true, "2"));
    partition("b", 5, 1);
    partition("c", 4, 1);
    ClusterLoad cluster = new ClusterLoad(nodes, partitions);

    assertThat(Placement.in(cluster).choose("p9", Set.of("x"))).contains("c");
    assertThat(Placement.in(cluster).choose("p9", Set.of("c"))).contains("b");
    assertThat(Placement.in(new ClusterLoad(List.of(), List.of())).choose("p9", Set.of("x")))
        .isEmpty();
  }

  @Test
  void partitionsOfADeadNodeAreSpreadOverAllOthers() {
    nodes("b", "c", "d");
    nodes.add(new NodeLoad("a", false, false, ""));
    for (int i = 0; i < 30; i++) {
      partitions.add(new PartitionLoad(route("a"), Optional.empty(), false));
    }
    partition("b", 12, 1);
    partition("c", 10, 1);
    partition("d", 11, 1);
    Placement placement = Placement.in(new ClusterLoad(nodes, partitions));

    Map<String, Integer> given = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      given.merge(placement.choose("p" + i, Set.of("a")).orElseThrow(), 1, Integer::sum);
    }

    assertThat(given).isEqualTo(Map.of("b", 10, "c", 10, "d", 10));
  }

  @Test
  void whatAPolicyRemembersStaysSmallEnoughForItsRow() {
    Policy merging =
        Policy.parse("{algorithm: threshold, check_interval: 1s, merge: {rps_threshold: 100}}");
    List<PartitionLoad> many = new ArrayList<>();
    for (int i = 0; i < 3 * MergeRule.CANDIDATES; i++) {
      Key start = Key.utf8(i == 0 ? "" : "%06d".formatted(i));
      Route route =
          new Route(
              "p" + i,
              "kv",
              PartitionRange.of(start, Key.utf8("%06d".formatted(i + 1))),
              "a",
              "a:1",
              1);
      many.add(new PartitionLoad(route, Optional.of(new Load(0.01, OptionalLong.of(1), 1)), false));
    }
    nodes("a");
    PolicyMemory memory = PolicyMemory.EMPTY;
    for (int i = 0; i < 3; i++) {
      memory = PolicyRound.decide(merging, new ClusterLoad(nodes, many), memory, NOW + i).memory();
    }
    for (int i = 0; i < 2 * PolicyMemory.RESTING; i++) {
      memory = memory.after(new Action.Split("p" + i, "hot"), NOW + i);
    }

    assertThat(memory.mergeRounds()).isNotEmpty().hasSizeLessThanOrEqualTo(MergeRule.CANDIDATES);
    assertThat(memory.mergeRounds().values()).contains(3);
    assertThat(memory.lastActions())
        .hasSize(PolicyMemory.RESTING)
        .containsKey("p" + (2 * PolicyMemory.RESTING - 1));
  }

  private Decision decide(Policy policy) {
    return decide(policy, PolicyMemory.EMPTY, NOW);
  }

  private Decision decide(Policy policy, PolicyMemory memory, long now) {
    return PolicyRound.decide(policy, new ClusterLoad(nodes, partitions), memory, now);
  }

  private void nodes(String... names) {
    Stream.of(names).forEach(name -> nodes.add(new NodeLoad(name, true, true, "")));
  }

  private void partition(String node, double rps, long keys) {
    partitions.add(
        new PartitionLoad(
            route(node),
            Optional.of(new Load(rps, keys < 0 ? OptionalLong.empty() : OptionalLong.of(keys), 1)),
            false));
  }

  private Route route(String node) {
    int i = partitions.size();
    PartitionRange range = PartitionRange.of(Key.of((byte) i), Key.of((byte) (i + 1)));
    return new Route("p" + i, "kv", range, node, node + ":1", 1);
  }
}
