package dev.tidemark.changes.internal.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.spi.MicrosecondVersions;
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
  void storeWhoseVersionsPassUnevenlyIsAskedForEachTime() {
    LongFunction<Instant> uneven =
        version -> MicrosecondVersions.timeOf(version - (version - FIRST) / 1_000);
    CommitTimes times = counted(uneven);
    for (int i = 0; i < 1_000; i++) {
      long version = FIRST + random.nextInt(1_000_000);
      assertThat(times.of(version)).isEqualTo(uneven.apply(version));
    }
    assertThat(asked).hasValue(1_001);
  }
}
