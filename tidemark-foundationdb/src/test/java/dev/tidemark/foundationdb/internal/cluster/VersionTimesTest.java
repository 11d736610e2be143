package dev.tidemark.foundationdb.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class VersionTimesTest {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final ManualTime time = ManualTime.standing();
  private final Database db = EmbeddedDatabase.inMemory(o -> o.withTime(time));

  private final VersionTimes times = new VersionTimes(time);
  private final Samples samples = new Samples(db, times);

  @AfterEach
  void closeDatabase() {
    db.close();
  }

  private void sample() {
    db.run(tx -> times.sample(tx, INTERVAL));
  }

  private List<KeyValue> rows(Key prefix) {
    return db.read(tx -> tx.scan(KeyRange.startingWith(prefix)).list());
  }

  private int count() {
    assertThat(rows(VersionTimes.BY_TIME)).hasSameSizeAs(rows(VersionTimes.BY_VERSION));
    return rows(VersionTimes.BY_TIME).size();
  }

  @Test
  void keysAndValuesAreThoseOfTheFormatPage() {
    samples.given(0x0102030405060708L, 1_700_000_000_000_000L);

    assertThat(rows(Key.hex("fd"))).hasSize(2);
    assertThat(hex(rows(VersionTimes.BY_TIME).getFirst()))
        .isEqualTo(
            "fd746964656d61726b2f76657273696f6e2d74696d65732f312f74"
                + "00060a24181e4000 = 01020304050607080000");
    assertThat(hex(rows(VersionTimes.BY_VERSION).getFirst()))
        .isEqualTo(
            "fd746964656d61726b2f76657273696f6e2d74696d65732f312f76"
                + "01020304050607080000 = 00060a24181e4000");
  }

  @Test
  void sampleIsWrittenAsTheFormatPageSays() {
    try (Transaction tx = db.begin()) {
      times.sample(tx, INTERVAL);
      tx.commit();

      String stamp = HexFormat.of().formatHex(tx.versionstamp().toByteArray(), 0, 10);
      assertThat(hex(rows(VersionTimes.BY_TIME).getFirst()))
          .isEqualTo(
              "fd746964656d61726b2f76657273696f6e2d74696d65732f312f74"
                  + "00060a24181e4000 = "
                  + stamp);
      assertThat(hex(rows(VersionTimes.BY_VERSION).getFirst()))
          .isEqualTo(
              "fd746964656d61726b2f76657273696f6e2d74696d65732f312f76"
                  + stamp
                  + " = 00060a24181e4000");
    }
  }

  private static String hex(KeyValue row) {
    return row.key().toHex() + " = " + HexFormat.of().formatHex(row.value());
  }

  @Test
  void timesBetweenSamplesAreInterpolated() {
    samples.given(1_000, 50_000);
    samples.given(2_000, 60_000);
    samples.given(2_100, 90_000);

    assertThat(samples.microsOf(1_000)).isEqualTo(50_000);
    assertThat(samples.microsOf(1_500)).isEqualTo(55_000);
    assertThat(samples.microsOf(2_000)).isEqualTo(60_000);
    assertThat(samples.microsOf(2_001)).isEqualTo(60_300);
    assertThat(samples.versionAt(50_000)).isEqualTo(1_000);
    assertThat(samples.versionAt(55_009)).isEqualTo(1_500);
    assertThat(samples.versionAt(60_299)).isEqualTo(2_000);
    assertThat(samples.versionAt(60_300)).isEqualTo(2_001);
  }

  @Test
  void beforeAllSamplesAVersionIsAMicrosecond() {
    samples.given(1_000, 50_000);
    samples.given(2_000, 60_000);

    assertThat(samples.microsOf(900)).isEqualTo(49_900);
    assertThat(samples.versionAt(49_900)).isEqualTo(900);
  }

  @Test
  void extremesOfVersionsAndTimesHaveAnswers() {
    samples.given(1_000, 50_000);

    assertThat(samples.microsOf(Long.MAX_VALUE)).isPositive();
    assertThat(samples.microsOf(-1)).isEqualTo(48_999);
    assertThat(db.<Long, RuntimeException>read(tx -> times.versionAt(tx, Instant.MAX)))
        .isGreaterThan(Long.MAX_VALUE - 50_000);
    assertThat(db.<Long, RuntimeException>read(tx -> times.versionAt(tx, Instant.MIN)))
        .isNegative();
  }

  @Test
  void withoutSamplesAllAnswersGoByTheFirstQuestion() {
    long version = db.transact(Transaction::readVersion);
    long start = time.wallMicros();

    assertThat(samples.microsOf(version)).isEqualTo(start);
    time.advance(Duration.ofSeconds(1));
    assertThat(samples.microsOf(version)).isEqualTo(start);
    assertThat(samples.versionAt(start - 1_000_000)).isEqualTo(version - 1_000_000);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 5)
  void versionAtIsTheLargestVersionThatIsNotLater(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long version = 1_000;
    long micros = 1_000;
    for (int i = 0; i < 20; i++) {
      version += 1 + random.nextLong(200);
      micros += 1 + random.nextLong(200);
      samples.given(version, micros);
    }
    for (int i = 0; i < 200; i++) {
      long moment = 800 + random.nextLong(micros);
      long found = samples.versionAt(moment);
      assertThat(samples.microsOf(found)).as("time of %d", found).isLessThanOrEqualTo(moment);
      assertThat(samples.microsOf(found + 1)).as("time of %d", found + 1).isGreaterThan(moment);
    }
  }

  @Test
  void sampleIsTakenOnceInAnInterval() {
    sample();
    sample();
    assertThat(count()).isEqualTo(1);
    time.advance(INTERVAL.minusMillis(1));
    sample();
    assertThat(count()).isEqualTo(1);
    time.advance(Duration.ofMillis(1));
    sample();
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void sampleHoldsTheVersionOfItsCommit() {
    try (Transaction tx = db.begin()) {
      times.sample(tx, INTERVAL);
      tx.commit();

      assertThat(samples.microsOf(tx.committedVersion())).isEqualTo(time.wallMicros());
      assertThat(samples.versionAt(time.wallMicros())).isEqualTo(tx.committedVersion());
    }
  }

  @Test
  void twoProcessesDoNotTakeTheSameSample() {
    try (Transaction first = db.begin();
        Transaction second = db.begin()) {
      times.sample(first, INTERVAL);
      times.sample(second, INTERVAL);
      first.commit();
      Assertions.assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
    }
    sample();
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void clockBehindTheNewestSampleStillMovesTimesOn() {
    long ahead = time.wallMicros() + TimeUnit.HOURS.toMicros(1);
    samples.given(db.transact(Transaction::readVersion), ahead);
    time.advance(INTERVAL);
    sample();
    assertThat(count()).as("before twice the interval has passed in versions").isEqualTo(1);
    time.advance(INTERVAL);
    db.run(tx -> tx.set(Key.utf8("a"), new byte[0]));
    sample();
    assertThat(count()).isEqualTo(2);
    assertThat(samples.microsOf(samples.versionAt(Long.MAX_VALUE / 2))).isGreaterThan(ahead);
  }

  @Test
  void samplesOfAnotherHistoryAreDropped() {
    samples.given(Long.MAX_VALUE - 1_000, time.wallMicros() - 5);
    sample();
    assertThat(count()).isEqualTo(1);
    assertThat(samples.microsOf(db.transact(Transaction::readVersion)))
        .isEqualTo(time.wallMicros());
  }

  @Test
  void samplesAreKeptForTwoWeeks() {
    for (int i = 0; i < 60; i++) {
      samples.given(1_000 + i, 50_000 + i);
    }
    sample();
    assertThat(count()).isEqualTo(60 - 32 + 1);
    time.advance(INTERVAL);
    sample();
    assertThat(count()).isEqualTo(2);
    time.advance(VersionTimes.KEPT.minus(INTERVAL));
    sample();
    assertThat(count()).isEqualTo(3);
    time.advance(INTERVAL);
    sample();
    assertThat(count()).isEqualTo(3);
  }

  @Test
  void samplerTakesSamplesUntilItIsClosed() throws Exception {
    try (VersionSampler sampler = new VersionSampler(db, times, INTERVAL)) {
      sampler.start();
      time.awaitSleepers(1);
      assertThat(count()).isEqualTo(1);
      time.advance(INTERVAL);
      time.awaitSleepers(1);
    }
    int taken = count();
    assertThat(taken).isBetween(1, 2);
    time.advance(INTERVAL);
    assertThat(count()).isEqualTo(taken);
  }
}
