package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

class VersionClockTest {
  private static final Key KEY = Key.utf8("key");
  private static final long HOUR = 3_600_000_000L;
  private static final long MINUTE = 60_000_000L;

  private final MachineTime time = new MachineTime();

  /** Steady time that is moved by hand, and a clock that is set against it. */
  private static final class MachineTime implements TimeSource {
    private final ManualTime steady = ManualTime.standing();
    private final AtomicLong set = new AtomicLong();

    void advance(long micros) {
      steady.advance(Duration.ofNanos(micros * 1_000));
    }

    void setClockBy(long micros) {
      set.addAndGet(micros);
    }

    @Override
    public long wallMicros() {
      return steady.wallMicros() + set.get();
    }

    @Override
    public long nanos() {
      return steady.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      steady.sleep(duration);
    }
  }

  @Test
  void versionsAreTheClockWhereItGoesOn() {
    VersionClock clock = new VersionClock(time, time.wallMicros());
    for (long step : new long[] {1, 7, HOUR, 3}) {
      time.advance(step);
      assertThat(clock.next(0)).isEqualTo(time.wallMicros());
    }
    time.setClockBy(HOUR);
    assertThat(clock.next(0)).isEqualTo(time.wallMicros());
    assertThat(clock.next(0)).as("at the same moment").isEqualTo(time.wallMicros() + 1);
  }

  @Test
  void versionsGoOnAtThePaceOfTimeWhereTheClockIsSetBack() {
    VersionClock clock = new VersionClock(time, time.wallMicros());
    long before = clock.next(0);
    time.setClockBy(-HOUR);
    for (int minute = 1; minute <= 10; minute++) {
      time.advance(MINUTE);
      assertThat(clock.next(0) - before)
          .isBetween(minute * (MINUTE - 500_000), minute * MINUTE - 1);
    }
  }

  @Test
  void clockThatWasSetBackCatchesUp() {
    VersionClock clock = new VersionClock(time, time.wallMicros());
    clock.next(0);
    time.setClockBy(-MINUTE);
    long ahead = MINUTE;
    while (ahead > 0) {
      time.advance(HOUR);
      long now = clock.next(0) - time.wallMicros();
      assertThat(now).isBetween(0L, ahead - 1);
      ahead = now;
    }
    time.advance(1);
    assertThat(clock.next(0)).isEqualTo(time.wallMicros());
  }

  @Test
  void versionsThatCameFromElsewhereGoOnToo() {
    VersionClock clock = new VersionClock(time, time.wallMicros());
    long far = time.wallMicros() + 1_000 * HOUR;
    assertThat(clock.next(far)).isEqualTo(far + 1);
    time.advance(MINUTE);
    assertThat(clock.next(far)).isBetween(far + MINUTE - 500_000, far + MINUTE);
  }

  @ParameterizedTest
  @SeedSource(count = 200)
  void versionsGrowWhateverTheClockDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    VersionClock clock = new VersionClock(time, time.wallMicros());
    long last = clock.next(0);
    for (int i = 0; i < 1_000; i++) {
      switch (random.nextInt(6)) {
        case 0 -> time.setClockBy(random.nextLong(-HOUR, HOUR));
        case 1 -> time.advance(random.nextLong(MINUTE));
        case 2 -> time.advance(1);
        default -> {}
      }
      long next = clock.next(random.nextInt(50) == 0 ? last + random.nextLong(MINUTE) : 0);
      assertThat(next).isGreaterThan(last).isGreaterThanOrEqualTo(time.wallMicros());
      last = next;
    }
  }

  @Test
  void timeOfTheStoreGoesOnAfterARestartWithAnEarlierClock(@TempDir Path directory) {
    long last;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory, o -> o.withTime(time))) {
      last = commit(database);
    }
    time.setClockBy(-HOUR);
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory, o -> o.withTime(time))) {
      assertThat(commit(database)).isGreaterThan(last);
      time.advance(10 * MINUTE);
      assertThat(commit(database) - last).isBetween(9 * MINUTE, 10 * MINUTE);
    }
  }

  private static long commit(EmbeddedDatabase database) {
    try (Transaction tx = database.begin()) {
      tx.set(KEY, new byte[0]);
      tx.commit();
      return tx.committedVersion();
    }
  }
}
