package dev.tidemark.partitions.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.Policy;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicySimulationTest {
  private static final int ROUNDS_TO_CONVERGE = 200;
  private static final int ROUNDS_TO_REST = 300;

  private static final String AUTO = "{algorithm: auto, split_threshold: 400, check_interval: 10s}";
  private static final String THRESHOLD =
      "{algorithm: threshold, check_interval: 10s, cooldown: {partition: 30s},"
          + " split: {rps_threshold: 400}, merge: {rps_threshold: 60}}";
  private static final String RELATIVE =
      "{algorithm: relative, check_interval: 10s, split: {rps_multiplier: 3, min_avg_rps: 10}}";

  @ParameterizedTest
  @ValueSource(strings = {AUTO, THRESHOLD, RELATIVE})
  void steadySkewedLoadConvergesAndThenRests(String yaml) {
    for (long seed = 1; seed <= 20; seed++) {
      SimulatedCluster cluster = converged(yaml, 0, seed);
      assertThat(cluster.actions)
          .as("%s, seed %d", yaml, seed)
          .hasSizeBetween(2, ROUNDS_TO_CONVERGE / 2);

      for (int i = 0; i < ROUNDS_TO_REST; i++) {
        assertThat(cluster.round()).as("%s, seed %d", yaml, seed).isEmpty();
      }

      assertBalanced(cluster, "%s, seed %d".formatted(yaml, seed));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {AUTO, THRESHOLD, RELATIVE})
  void noiseInTheStatisticsMovesNothingToAndFro(String yaml) {
    for (long seed = 1; seed <= 20; seed++) {
      SimulatedCluster cluster = converged(yaml, 0.03, seed);
      cluster.actions.clear();
      for (int i = 0; i < ROUNDS_TO_REST; i++) {
        cluster.round();
      }

      assertThat(cluster.actions).as("%s, seed %d", yaml, seed).hasSizeLessThan(3);
      assertThat(cluster.actions.stream().flatMap(action -> action.partitions().stream()))
          .as("%s, seed %d", yaml, seed)
          .doesNotHaveDuplicates();
      assertBalanced(cluster, "%s, seed %d".formatted(yaml, seed));
    }
  }

  private static SimulatedCluster converged(String yaml, double noise, long seed) {
    SimulatedCluster cluster = skewed(Policy.parse(yaml), noise, seed);
    for (int i = 16; i < 256; i += 16) {
      cluster.cut(key(i));
    }
    for (int i = 0; i < ROUNDS_TO_CONVERGE; i++) {
      cluster.round();
    }
    return cluster;
  }

  private static void assertBalanced(SimulatedCluster cluster, String what) {
    double most = Collections.max(cluster.loadOfNodes().values());
    double least = Collections.min(cluster.loadOfNodes().values());
    double average =
        cluster.loadOfNodes().values().stream().mapToDouble(d -> d).average().orElseThrow();
    assertThat((most - least) / average).as("%s: %s", what, cluster.loadOfNodes()).isLessThan(0.40);
  }

  @Test
  void aNewNodeTakesTheHottestPartitionsAndThenNothingMoves() {
    SimulatedCluster cluster =
        new SimulatedCluster(Policy.auto(400, Duration.ofSeconds(10)), 0, 1).node("a").node("b");
    for (int i = 0; i < 64; i++) {
      cluster.load(Key.of((byte) i), 30);
    }
    for (int i = 0; i < ROUNDS_TO_CONVERGE; i++) {
      cluster.round();
    }
    cluster.actions.clear();
    cluster.node("c");
    for (int i = 0; i < ROUNDS_TO_REST; i++) {
      cluster.round();
    }

    assertThat(cluster.actions)
        .isNotEmpty()
        .allSatisfy(
            action ->
                assertThat(action)
                    .isInstanceOfSatisfying(
                        Action.Move.class, move -> assertThat(move.to()).isEqualTo("c")));
    assertThat(cluster.round()).isEmpty();
    assertThat(cluster.loadOfNodes().get("c")).isGreaterThan(300);
  }

  @Test
  void partitionsThatBecomeColdAreMergedAgainAndNotSplitAfterwards() {
    Policy policy =
        Policy.parse(
            "{algorithm: threshold, check_interval: 10s, split: {rps_threshold: 400},"
                + " merge: {rps_threshold: 100, stable_rounds: 3}}");
    SimulatedCluster cluster = skewed(policy, 0, 4);
    for (int i = 0; i < ROUNDS_TO_CONVERGE; i++) {
      cluster.round();
    }
    int split = cluster.partitions();
    for (int i = 0; i < 256; i++) {
      cluster.load(key(i), 0.1);
    }
    cluster.actions.clear();
    for (int i = 0; i < ROUNDS_TO_CONVERGE; i++) {
      cluster.round();
    }

    assertThat(split).isGreaterThan(4);
    assertThat(cluster.partitions()).isEqualTo(1);
    assertThat(cluster.actions).noneMatch(action -> action instanceof Action.Split);
  }

  @Test
  void aSingleHotKeyIsIsolatedAndThenLeftAlone() {
    SimulatedCluster cluster =
        new SimulatedCluster(Policy.auto(400, Duration.ofSeconds(10)), 0, 1).node("a").node("b");
    for (int i = 0; i < 64; i++) {
      cluster.load(key(i), i == 17 ? 5_000 : 1);
    }
    for (int i = 0; i < ROUNDS_TO_CONVERGE; i++) {
      cluster.round();
    }
    cluster.actions.clear();

    assertThat(cluster.round()).isEmpty();
    assertThat(cluster.partitions()).isLessThan(16);
  }

  private static SimulatedCluster skewed(Policy policy, double noise, long seed) {
    SimulatedCluster cluster =
        new SimulatedCluster(policy, noise, seed).node("a").node("b").node("c").node("d");
    for (int i = 0; i < 256; i++) {
      cluster.load(key(i), 600.0 / (1 + (i * 37L + seed) % 256));
    }
    return cluster;
  }

  private static Key key(int i) {
    return Key.of((byte) i);
  }
}
