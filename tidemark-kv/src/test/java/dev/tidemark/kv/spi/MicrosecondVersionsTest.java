package dev.tidemark.kv.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class MicrosecondVersionsTest {
  @Test
  void versionsAreMicrosecondsSinceTheEpoch() {
    Instant time = Instant.parse("2026-02-03T04:05:06.123456Z");
    assertThat(MicrosecondVersions.versionAt(time)).isEqualTo(1_770_091_506_123_456L);
    assertThat(MicrosecondVersions.timeOf(1_770_091_506_123_456L)).isEqualTo(time);
  }

  @Test
  void partOfAMicrosecondBelongsToTheVersionBefore() {
    assertThat(MicrosecondVersions.versionAt(Instant.ofEpochSecond(0, 1_999))).isEqualTo(1);
    assertThat(MicrosecondVersions.versionAt(Instant.ofEpochSecond(0, -1))).isEqualTo(-1);
  }

  @Test
  void timesThatNoVersionReachesGiveTheFirstOrTheLast() {
    assertThat(MicrosecondVersions.versionAt(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
    assertThat(MicrosecondVersions.versionAt(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
    for (long version : new long[] {Long.MIN_VALUE + 1_000_000, Long.MAX_VALUE}) {
      assertThat(MicrosecondVersions.versionAt(MicrosecondVersions.timeOf(version)))
          .isEqualTo(version);
    }
  }
}
