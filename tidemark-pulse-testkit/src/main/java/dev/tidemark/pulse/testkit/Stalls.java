package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long threads of this process have waited for a processor. A limit on how long something takes
 * is about the code, and not about what else the machine does.
 */
final class Stalls {
  private static final Duration STEP = Duration.ofMillis(5);
  private static final TimeSource TIME = TimeSource.system();
  private static final AtomicLong STALLED = new AtomicLong();

  static {
    Thread.ofVirtual().name("stalls").start(Stalls::measure);
  }

  private Stalls() {}

  private static void measure() {
    try {
      for (long before = TIME.nanos(); ; before = TIME.nanos()) {
        TIME.sleep(STEP);
        long late = TIME.nanos() - before - STEP.toNanos();
        if (late > STEP.toNanos()) {
          STALLED.addAndGet(late);
        }
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  /** All of it since the first question. */
  static Duration total() {
    return Duration.ofNanos(STALLED.get());
  }
}
