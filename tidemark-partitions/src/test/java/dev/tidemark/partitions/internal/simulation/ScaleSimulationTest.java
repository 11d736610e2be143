package dev.tidemark.partitions.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.simulation.NodeLoss.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters of many nodes on virtual time. The build plays 100 nodes with 10,000 partitions; {@code
 * -Dtidemark.simulation=full} plays 1,000 with 100,000, and writes the report and the chart of
 * docs/partitions-operations.md to {@code target}.
 */
class ScaleSimulationTest {
  private static final int ROUNDS_TO_REST = 10;
  private static final long SEED = 1;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void partitionsOfLostNodesAreSpreadAndServedSoonAfterTheLease(int dead) {
    Result result = NodeLoss.of(Latencies.TYPICAL, 100, 10_000, dead, SEED);

    assertThat(result.servedAt()).hasSize(dead * 100);
    assertThat(result.lastServed()).isLessThan(15_000);
    assertThat(result.given().getMax() - result.given().getMin())
        .as("%s", result.given())
        .isLessThanOrEqualTo(12);
    assertThat(result.pushes())
        .isSortedAccordingTo((a, b) -> Long.compare(a.version(), b.version()));
    assertThat(result.bytes()).isLessThan(ScaleReport.wholeBytes(100, 10_000) / 10);
  }

  @Test
  void theSameSeedPlaysTheSame() {
    assertThat(NodeLoss.of(Latencies.TYPICAL, 50, 1_000, 2, 7))
        .usingRecursiveComparison()
        .ignoringFields("given")
        .isEqualTo(NodeLoss.of(Latencies.TYPICAL, 50, 1_000, 2, 7));
  }

  @Test
  void steadyLoadWithHotPartitionsConvergesAndThenRests() {
    Balancing balancing = new Balancing(policy(), 100, 10_000, 3, 2_000, SEED);
    double before = balancing.imbalance();

    int rounds = untilRest(balancing, 400);

    assertThat(rounds).isLessThan(400);
    assertThat(balancing.hottest()).isLessThanOrEqualTo(500);
    assertThat(balancing.imbalance()).isLessThan(before / 2).isLessThan(60);
  }

  private static Policy policy() {
    return Policy.parse(
        "{algorithm: threshold, check_interval: 10s, cooldown: {partition: 20s},"
            + " split: {rps_threshold: 500, max_partitions: 200000}}");
  }

  /** Rounds until the first of ten in which nothing was done. */
  private static int untilRest(Balancing balancing, int limit) {
    int quiet = 0;
    int rounds = 0;
    while (quiet < ROUNDS_TO_REST && rounds < limit) {
      rounds++;
      quiet = balancing.round() ? 0 : quiet + 1;
    }
    return rounds - quiet;
  }

  @Test
  @EnabledIfSystemProperty(named = "tidemark.simulation", matches = "full")
  void aThousandNodesAndAHundredThousandPartitions() throws IOException {
    Map<Integer, Result> losses = new LinkedHashMap<>();
    for (int dead : new int[] {1, 10, 50}) {
      losses.put(dead, NodeLoss.of(Latencies.TYPICAL, 1_000, 100_000, dead, SEED));
    }
    Balancing balancing = new Balancing(policy(), 1_000, 100_000, 5, 2_000, SEED);
    double before = balancing.imbalance();
    long begin = System.nanoTime();
    int rounds = untilRest(balancing, 1_000);
    double millis = (System.nanoTime() - begin) / 1e6 / (rounds + ROUNDS_TO_REST);
    String report =
        ScaleReport.markdown(losses)
            + "balancing: rounds=%d actions=%s imbalance=%.0f%%->%.0f%% hottest=%.0f decide_ms=%.0f%n"
                .formatted(
                    rounds,
                    balancing.actions(),
                    before,
                    balancing.imbalance(),
                    balancing.hottest(),
                    millis);
    System.out.println(report);
    Path target = Files.createDirectories(Path.of("target"));
    Files.writeString(target.resolve("partitions-scale.md"), report);
    Files.writeString(target.resolve("partitions-scale.svg"), ScaleChart.svg(losses));
  }
}
