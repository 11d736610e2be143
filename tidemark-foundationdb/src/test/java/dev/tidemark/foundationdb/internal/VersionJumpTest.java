package dev.tidemark.foundationdb.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
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

  /** A sample as the format page describes it. */
  private void given(long version, long micros) {
    db.run(
        tx -> {
          byte[] stamp = ByteBuffer.allocate(10).putLong(version).array();
          byte[] moment = ByteBuffer.allocate(8).putLong(micros).array();
          tx.set(VersionTimes.BY_VERSION.append(stamp), moment);
          tx.set(VersionTimes.BY_TIME.append(moment), stamp);
        });
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

  private long microsOf(long version) {
    Instant instant = db.read(tx -> times.timeOf(tx, version));
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private long versionAt(long micros) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return db.read(tx -> times.versionAt(tx, instant));
  }

  @Test
  void presentCountsAsTheNewestSample() {
    given(1_000, 50_000);
    given(2_000, 60_000);
    given(2_100, 90_000);
    jumpTo(102_100);
    clock.advance(290_000);

    assertThat(microsOf(2_100)).isEqualTo(90_000);
    assertThat(microsOf(2_600)).isEqualTo(91_000);
    assertThat(microsOf(102_100)).isEqualTo(290_000);
    assertThat(versionAt(90_999)).isEqualTo(2_599);
    assertThat(versionAt(91_000)).isEqualTo(2_600);
    assertThat(versionAt(290_000)).isEqualTo(102_100);
  }

  @Test
  void versionThatIsStillToComeIsAMicrosecondAfterTheOneBeforeIt() {
    given(2_100, 90_000);
    jumpTo(102_100);
    clock.advance(290_000);

    assertThat(microsOf(102_600)).isEqualTo(290_500);
    assertThat(versionAt(290_500)).isEqualTo(102_600);
  }

  @Test
  void jumpAfterARecoveryDoesNotLeadIntoTheFuture() {
    db.run(tx -> times.sample(tx, INTERVAL));
    long sampled = present();
    jumpTo(sampled + 100_000_000);
    clock.advance(1_000_000);

    assertThat(microsOf(present())).isEqualTo(clock.wallMicros());
    assertThat(microsOf(sampled + 50_000_000)).isEqualTo(500_000);
    assertThat(versionAt(clock.wallMicros())).isEqualTo(present());
  }

  @Test
  void jumpDoesNotLeadIntoTheFutureWithoutSamplesEither() {
    jumpTo(1_000);
    assertThat(microsOf(1_000)).isZero();
    jumpTo(100_001_000);
    clock.advance(1_000_000);

    assertThat(microsOf(1_000)).isZero();
    assertThat(microsOf(100_001_000)).isEqualTo(1_000_000);
    assertThat(versionAt(0)).isEqualTo(1_099);
    assertThat(microsOf(1_099)).isZero();
    assertThat(microsOf(1_100)).isEqualTo(1);
    assertThat(versionAt(-10)).isEqualTo(990);
  }

  @Test
  void presentStaysBehindASampleOfAClockThatWasAhead() {
    given(2_100, 90_000);
    jumpTo(102_100);

    assertThat(microsOf(102_100)).isEqualTo(90_001);
    assertThat(microsOf(102_099)).isEqualTo(90_000);
    assertThat(versionAt(90_000)).isEqualTo(102_099);
    assertThat(versionAt(90_001)).isEqualTo(102_100);
  }
}
