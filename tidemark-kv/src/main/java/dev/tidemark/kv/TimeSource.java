package dev.tidemark.kv;

import dev.tidemark.kv.spi.SystemTime;
import java.time.Duration;
import java.time.Instant;

/** Where time and chance come from. Tests pass one that they move by hand. */
public interface TimeSource {
  /** The machine's clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /** Microseconds since 1970-01-01T00:00:00Z. May step back when the clock is set. */
  long wallMicros();

  /** The same as a moment. */
  default Instant instant() {
    long micros = wallMicros();
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1_000L);
  }

  /** Nanoseconds since some fixed moment. Never steps back. */
  long nanos();

  /** A random number, 0 or more and less than 1. For pauses; not for secrets. */
  default double chance() {
    return SystemTime.INSTANCE.chance();
  }

  /** Lets the current thread wait for {@code duration}. */
  void sleep(Duration duration) throws InterruptedException;
}
