package dev.tidemark.foundationdb.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Times of versions that have come since the newest sample, faster or slower than the clock. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class VersionJumpTest {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final FromZero clock = new FromZero(ManualTime.standing());

  /** A second clock, of the store alone, which takes its versions from it. */
  private final FromZero versions = new FromZero(ManualTime.standing());

  private final Database db = EmbeddedDatabase.inMemory(o -> o.withTime(versions));
  private final VersionTimes times = new VersionTimes(clock);
  private final Samples samples = new Samples(db, times);

  /** A clock that starts in 1970, so that its numbers can be read. */
  private record FromZero(ManualTime time, long start) implements TimeSource {
    FromZero(ManualTime time) {
      this(time, time.wallMicros());
    }

    void advance(long micros) {
      time.advance(Duration.of(micros, ChronoUnit.MICROS));
    }

    @Override
    public long wallMicros() {
      return time.wallMicros() - start;
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      time.sleep(duration);
    }
  }

  @AfterEach
  void closeDatabase() {
    db.close();
  }

  /** Has the store commit something in {@code version}, as a recovery of a cluster does. */
  private void jumpTo(long version) {
    versions.advance(version - versions.wallMicros());
    db.run(tx -> tx.set(Key.utf8("a"), new byte[0]));
    assertThat(present()).isEqualTo(version);
  }

  private long present() {
    return db.transact(Transaction::readVersion);
  }

  @Test
  void presentCountsAsTheNewestSample() {
    samples.given(1_000, 50_000);
    samples.given(2_000, 60_000);
    samples.given(2_100, 90_000);
    jumpTo(102_100);
    clock.advance(290_000);

    assertThat(samples.microsOf(2_100)).isEqualTo(90_000);
    assertThat(samples.microsOf(2_600)).isEqualTo(91_000);
    assertThat(samples.microsOf(102_100)).isEqualTo(290_000);
    assertThat(samples.versionAt(90_999)).isEqualTo(2_599);
    assertThat(samples.versionAt(91_000)).isEqualTo(2_600);
    assertThat(samples.versionAt(290_000)).isEqualTo(102_100);
  }

  @Test
  void versionThatIsStillToComeIsAMicrosecondAfterTheOneBeforeIt() {
    samples.given(2_100, 90_000);
    jumpTo(102_100);
    clock.advance(290_000);

    assertThat(samples.microsOf(102_600)).isEqualTo(290_500);
    assertThat(samples.versionAt(290_500)).isEqualTo(102_600);
  }

  @Test
  void jumpAfterARecoveryDoesNotLeadIntoTheFuture() {
    db.run(tx -> times.sample(tx, INTERVAL));
    long sampled = present();
    jumpTo(sampled + 100_000_000);
    clock.advance(1_000_000);

    assertThat(samples.microsOf(present())).isEqualTo(clock.wallMicros());
    assertThat(samples.microsOf(sampled + 50_000_000)).isEqualTo(500_000);
    assertThat(samples.versionAt(clock.wallMicros())).isEqualTo(present());
  }

  @Test
  void jumpDoesNotLeadIntoTheFutureWithoutSamplesEither() {
    jumpTo(1_000);
    assertThat(samples.microsOf(1_000)).isZero();
    jumpTo(100_001_000);
    clock.advance(1_000_000);

    assertThat(samples.microsOf(1_000)).isZero();
    assertThat(samples.microsOf(100_001_000)).isEqualTo(1_000_000);
    assertThat(samples.versionAt(0)).isEqualTo(1_099);
    assertThat(samples.microsOf(1_099)).isZero();
    assertThat(samples.microsOf(1_100)).isEqualTo(1);
    assertThat(samples.versionAt(-10)).isEqualTo(990);
  }

  @Test
  void presentStaysBehindASampleOfAClockThatWasAhead() {
    samples.given(2_100, 90_000);
    jumpTo(102_100);

    assertThat(samples.microsOf(102_100)).isEqualTo(90_001);
    assertThat(samples.microsOf(102_099)).isEqualTo(90_000);
    assertThat(samples.versionAt(90_000)).isEqualTo(102_099);
    assertThat(samples.versionAt(90_001)).isEqualTo(102_100);
  }
}
