package dev.tidemark.embedded.internal.common;

/** Waits for the end of threads. */
public final class Threads {
  private Threads() {}

  /** Waits for the end of {@code thread}; an interrupt is put off until then. */
  public static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
