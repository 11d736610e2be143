package dev.tidemark.testkit;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits in tests for what other threads do. */
public final class Eventually {
  /** How long a test waits for something that has to happen. */
  public static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final TimeSource TIME = TimeSource.system();

  private Eventually() {}

  /** Waits until {@code condition} holds; fails, naming {@code what}, if it does not in time. */
  public static void eventually(String what, BooleanSupplier condition) {
    eventually(() -> what, condition);
  }

  /** As {@link #eventually(String, BooleanSupplier)}, with a message made when it is needed. */
  public static void eventually(Supplier<String> what, BooleanSupplier condition) {
    long deadline = TIME.nanos() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (TIME.nanos() > deadline) {
        throw new AssertionError("Not within " + PATIENCE + ": " + what.get());
      }
      pause(LOOK_AGAIN);
    }
  }

  /** Lets {@code duration} pass, for what must not happen in that time. */
  public static void pause(Duration duration) {
    try {
      TIME.sleep(duration);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new AssertionError("The test was interrupted", interrupt);
    }
  }
}
