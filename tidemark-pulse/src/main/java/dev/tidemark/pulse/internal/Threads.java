package dev.tidemark.pulse.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The end of threads that have been told to end. */
final class Threads {
  private Threads() {}

  /** Waits for the end of {@code thread}, interrupted halfway, unless it is the caller's own. */
  static void endWithin(Duration time, @Nullable Thread thread) {
    if (thread == null || thread.equals(Thread.currentThread())) {
      return;
    }
    try {
      Duration half = time.dividedBy(2);
      if (!thread.join(half)) {
        thread.interrupt();
        thread.join(half);
      }
    } catch (InterruptedException interrupt) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
