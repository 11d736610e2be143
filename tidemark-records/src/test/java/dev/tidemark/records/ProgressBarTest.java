package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Progress as text. */
class ProgressBarTest {
  private static BuildProgress progress(Certainty certainty, long aborted, boolean complete) {
    return new BuildProgress(
        List.of("by_city"),
        45_000,
        44_000,
        100_000,
        certainty,
        complete ? 1 : 0.45,
        120_000,
        Duration.ofSeconds(1),
        Optional.of(Duration.ofSeconds(3_725)),
        Optional.empty(),
        20,
        aborted,
        Optional.empty(),
        complete);
  }

  @Test
  void knownTotalIsABar() {
    assertThat(progress(Certainty.EXACT, 0, false).line(20))
        .isEqualTo(
            "[#########-----------]  45 %  45,000 of 100,000 records  120,000/s  1:02:05 left");
  }

  @Test
  void estimatedTotalSaysSo() {
    assertThat(progress(Certainty.ESTIMATED, 2, false).line(10))
        .isEqualTo(
            "[####------]  45 %  45,000 of about 100,000 records  120,000/s  1:02:05 left"
                + "  2 batches tried again");
  }

  @Test
  void unknownTotalHasNoBar() {
    assertThat(progress(Certainty.UNKNOWN, 0, true).line(10))
        .isEqualTo("45,000 records  120,000/s");
  }
}
