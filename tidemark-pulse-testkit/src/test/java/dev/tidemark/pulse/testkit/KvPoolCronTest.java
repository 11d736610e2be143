package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Job;
import dev.tidemark.pulse.PoolClient;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.DatabaseExtension;
import dev.tidemark.testkit.ForwardingDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cron from the call to the job, on a store whose clock is shortly before the full minute. */
class KvPoolCronTest extends PoolConformance {
  private static final Duration BEFORE_THE_MINUTE = Duration.ofSeconds(3);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private Duration ahead = Duration.ZERO;

  /** A store whose clock is ahead by the same time for all who ask. */
  private static final class AheadDatabase extends ForwardingDatabase {
    private final Duration ahead;

    AheadDatabase(Database delegate, Duration ahead) {
      super(delegate);
      this.ahead = ahead;
    }

    @Override
    public Instant timeOf(long version) {
      return super.timeOf(version).plus(ahead);
    }
  }

  @Override
  protected Pulse open() {
    return Pulse.on(new AheadDatabase(databases.database(), ahead));
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
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    node().addWorker(first);
    node().addWorker(second);

    eventually("the job is started", () -> first.starts().size() + second.starts().size() == 1);
    Job job = (first.starts().isEmpty() ? second : first).starts().getFirst();
    assertThat(job.key()).isEqualTo("job");
    assertThat(text(job.payload())).isEqualTo("payload");
    Instant minute = job.createdAt().truncatedTo(ChronoUnit.MINUTES);
    assertThat(Duration.between(minute, job.createdAt()))
        .as("from the full minute to the dispatch")
        .isLessThan(Duration.ofSeconds(20));
    assertThat(client.jobKeys()).containsExactly("job");
    assertThat(client.crons()).as("the next time comes").containsExactly("each", "yearly");
    assertThat(errors()).isEmpty();
  }
}
