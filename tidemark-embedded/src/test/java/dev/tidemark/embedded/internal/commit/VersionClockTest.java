package dev.tidemark.embedded.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of a store whose machine's clock is set. */
class VersionClockTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime steady = ManualTime.standing();
  private final ClockThatIsSet time = new ClockThatIsSet();

  /** Its time of day is set by hand; its steady clock goes on. */
  private final class ClockThatIsSet implements TimeSource {
    private long ahead;

    void set(Duration by) {
      ahead += by.toNanos() / 1_000;
    }

    @Override
    public long wallMicros() {
      return steady.wallMicros() + ahead;
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

  private static Instant commit(Database database) {
    try (Transaction tx = database.begin()) {
      tx.set(Key.utf8("a"), new byte[0]);
      tx.commit();
      return database.timeOf(tx.committedVersion());
    }
  }

  private static void assertAbout(Duration expected, Duration actual) {
    assertThat(actual).isBetween(expected.multipliedBy(99).dividedBy(100), expected);
  }

  @Test
  void timeOfTheStoreIsThatOfTheClock() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      for (int i = 0; i < 3; i++) {
        steady.advance(MINUTE);
        assertThat(commit(database)).isEqualTo(time.instant());
      }
    }
  }

  @Test
  void timeOfTheStoreGoesOnWhenTheClockIsSetBack() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      Instant before = commit(database);
      time.set(HOUR.negated());
      for (int i = 1; i <= 10; i++) {
        steady.advance(MINUTE);
        assertAbout(MINUTE.multipliedBy(i), Duration.between(before, commit(database)));
      }
    }
  }

  @Test
  void timeOfTheStoreIsThatOfTheClockAgainAfterAWhile() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      commit(database);
      time.set(HOUR.negated());
      int hours = 0;
      while (commit(database).isAfter(time.instant())) {
        steady.advance(HOUR);
        hours++;
      }
      assertThat(hours).isBetween(200, 300);
      steady.advance(MINUTE);
      assertThat(commit(database)).isEqualTo(time.instant());
    }
  }

  @Test
  void timeOfTheStoreGoesOnAfterItWasOpenedAgainWithAClockThatIsBehind(@TempDir Path directory) {
    Instant before;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory, o -> o.withTime(time))) {
      before = commit(database);
    }
    time.set(HOUR.negated());
    try (EmbeddedDatabase again = EmbeddedDatabase.open(directory, o -> o.withTime(time))) {
      steady.advance(MINUTE);
      assertAbout(MINUTE, Duration.between(before, commit(again)));
    }
  }

  @Test
  void timeOfTheStoreGoesOnAfterItsVersionsWereAdvanced() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory(o -> o.withTime(time))) {
      Instant ahead = time.instant().plus(HOUR);
      database.advanceVersion(database.versionAt(ahead));
      commit(database);
      steady.advance(MINUTE);
      assertAbout(MINUTE, Duration.between(ahead, commit(database)));
    }
  }
}
