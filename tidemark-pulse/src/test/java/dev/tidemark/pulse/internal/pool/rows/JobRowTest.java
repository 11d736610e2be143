package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobRowTest {
  private static final JobRow FULL =
      new JobRow(
          new JobState.Assigned("n1.2"),
          (7L << 24) + 1,
          1_700_000_000_000L,
          3,
          true,
          2,
          5,
          new Waiter("c1", 42),
          "once",
          RetryPolicy.of(4, Duration.ofMillis(250)),
          "boom");

  @Test
  void everyStateSurvivesItsBytes() {
    List<JobState> states =
        List.of(
            new JobState.Waiting(),
            new JobState.Assigned("n1.1"),
            new JobState.Running("n1.1"),
            new JobState.Scheduled(1_700_000_000_000L),
            new JobState.Dead());

    for (JobState state : states) {
      JobRow row = FULL.in(state);
      assertThat(JobRow.decode(row.encode())).isEqualTo(row);
      assertThat(JobRow.decode(row.settled().encode())).isEqualTo(row.settled());
    }
  }

  @Test
  void rowOfALaterFormatIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JobRow.decode(Tuple.of(2, "?").pack()))
        .withMessageContaining("format 2");
  }
}
