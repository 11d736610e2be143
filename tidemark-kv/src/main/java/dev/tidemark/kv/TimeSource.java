package dev.tidemark.kv;

import dev.tidemark.kv.internal.SystemTime;
import java.time.Duration;

/** Where time comes from. Tests pass one that they move by hand. */
public interface TimeSource {
  /** The machine's clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /** Microseconds since 1970-01-01T00:00:00Z. May step back when the clock is set. */
  long wallMicros();

  /** Nanoseconds since some fixed moment. Never steps back. */
  long nanos();

  /** Lets the current thread wait for {@code duration}. */
  void sleep(Duration duration) throws InterruptedException;
}
