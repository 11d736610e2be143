package dev.tidemark.changes.internal.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.spi.MicrosecondVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class CommitTimesTest {
  private static final long FIRST =
      MicrosecondVersions.versionAt(Instant.parse("2026-03-04T05:00:00Z"));

  private final AtomicInteger asked = new AtomicInteger();
  private final SplittableRandom random = new SplittableRandom(7);

  private CommitTimes counted(LongFunction<Instant> times) {
    return new CommitTimes(
        version -> {
          asked.incrementAndGet();
          return times.apply(version);
        });
  }

  @Test
  void manyCommitsOfAStoreWhoseVersionsAreMicrosecondsTakeFewQuestions() {
    CommitTimes times = counted(MicrosecondVersions::timeOf);
    long version = FIRST;
    for (int i = 0; i < 10_000; i++) {
      version += random.nextInt(2_000);
      assertThat(times.of(version)).isEqualTo(MicrosecondVersions.timeOf(version));
    }
    assertThat(asked).hasValueLessThan(10);
    assertThat(times.of(0)).isEqualTo(MicrosecondVersions.timeOf(0));
    assertThat(times.of(Long.MAX_VALUE)).isEqualTo(MicrosecondVersions.timeOf(Long.MAX_VALUE));
  }

  @Test
  void storeWhoseVersionsPassUnevenlyIsAskedTwiceForEachSecondOfThem() {
    LongFunction<Instant> uneven =
        version ->
            MicrosecondVersions.timeOf(
                version
                    - (version - FIRST) / 1_000
                    + (long) (5_000 * Math.sin((double) version / 3e5)));
    CommitTimes times = counted(uneven);
    for (int i = 0; i < 10_000; i++) {
      long version = FIRST + random.nextInt(10_000_000);
      assertThat(Duration.between(uneven.apply(version), times.of(version)).abs())
          .isLessThan(Duration.ofMillis(20));
    }
    // Twelve spans at most, and a long one by which it is found out; no commit had a question.
    assertThat(asked).hasValueLessThan(30);
  }

  @Test
  void readersAtManyPlacesShareWhatWasAsked() {
    CommitTimes times = counted(version -> MicrosecondVersions.timeOf(version / 2));
    for (int i = 0; i < 1_000; i++) {
      for (int place = 0; place < 8; place++) {
        long version = FIRST + place * 3_000_000L + i;
        assertThat(times.of(version)).isEqualTo(MicrosecondVersions.timeOf(version / 2));
      }
    }
    assertThat(asked).hasValueLessThan(30);
  }

  @Test
  void versionsThatTookVeryLongAreAskedForOneByOne() {
    // As while a cluster was down: a million versions of an hour.
    LongFunction<Instant> slow =
        version -> MicrosecondVersions.timeOf(FIRST + (version - FIRST) * 3_600);
    CommitTimes times = counted(slow);
    for (int i = 0; i < 100; i++) {
      long version = FIRST + random.nextInt(1_000);
      assertThat(times.of(version)).isEqualTo(slow.apply(version));
    }
    assertThat(asked).hasValueLessThan(110);
  }

  @Test
  void timesNeverGoBackWithinAStore() {
    LongFunction<Instant> uneven =
        version -> MicrosecondVersions.timeOf(FIRST + (version - FIRST) / 3 * 2);
    CommitTimes times = counted(uneven);
    Instant before = Instant.MIN;
    for (long version = FIRST; version < FIRST + 5_000_000; version += 1_000) {
      Instant now = times.of(version);
      assertThat(now).isAfterOrEqualTo(before);
      before = now;
    }
  }
}
