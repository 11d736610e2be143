package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** Cron from the call to the job, on any store. Its clock is set shortly before a full minute. */
public abstract class PoolCronConformance extends PoolConformance {
  private static final Duration BEFORE_THE_MINUTE = Duration.ofSeconds(3);

  private Duration ahead = Duration.ZERO;

  /** For subclasses. */
  protected PoolCronConformance() {}

  /** As {@link #open}, on a store that shows a time later by {@code ahead} than it is. */
  protected abstract Pulse openAhead(Duration ahead);

  @Override
  protected final Pulse open() {
    return openAhead(ahead);
  }

  private void setClockBeforeTheMinute() {
    Instant now = TIME.instant();
    Instant minute = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    ahead = Duration.between(now, minute).minus(BEFORE_THE_MINUTE);
  }

  @Test
  void jobOfACronScheduleIsStartedOnceWhenItsTimeHasCome() {
    setClockBeforeTheMinute();
    PoolClient client = client();
    client.cron("each", "* * * * *", ZoneOffset.UTC, "job", bytes("payload"));
    client.cron("yearly", "0 0 1 1 *", ZoneOffset.UTC, "other", bytes("x"));
    RecordingHandler handler = new RecordingHandler();
    node().addWorker(handler);
    PoolNode other = node();

    eventually("the job is started", () -> !handler.starts().isEmpty());
    Job job = handler.starts().getFirst();
    assertThat(job.key()).isEqualTo("job");
    assertThat(text(job.payload())).isEqualTo("payload");
    Instant minute = job.createdAt().truncatedTo(ChronoUnit.MINUTES);
    assertThat(Duration.between(minute, job.createdAt()))
        .as("from the full minute to the dispatch")
        .isLessThan(Duration.ofSeconds(20));
    assertThat(other.jobKeys()).containsExactly("job");
    assertThat(other.crons()).as("the next time comes").containsExactly("each", "yearly");
    assertThat(handler.starts()).as("two nodes, one of which acts").hasSize(1);
    assertThat(errors()).isEmpty();
  }
}
