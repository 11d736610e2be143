package dev.tidemark.kv.spi;

import java.time.Instant;

/** The times of versions that are microseconds since the epoch. */
public final class MicrosecondVersions {
  private static final long PER_SECOND = 1_000_000;
  private static final Instant LAST = timeOf(Long.MAX_VALUE);
  private static final Instant FIRST = timeOf(Long.MIN_VALUE);

  private MicrosecondVersions() {}

  /** When {@code version} was committed. */
  public static Instant timeOf(long version) {
    return Instant.ofEpochSecond(
        Math.floorDiv(version, PER_SECOND), Math.floorMod(version, PER_SECOND) * 1_000);
  }

  /** The largest version whose time is not after {@code instant}. */
  public static long versionAt(Instant instant) {
    if (!instant.isBefore(LAST)) {
      return Long.MAX_VALUE;
    }
    return instant.isBefore(FIRST)
        ? Long.MIN_VALUE
        : instant.getEpochSecond() * PER_SECOND + instant.getNano() / 1_000;
  }
}
