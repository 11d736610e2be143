package dev.tidemark.remote.internal.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * A step of a timer. The timer goes on whatever the step throws: without it calls that nobody
 * answers would never end, and clients that hold much and take nothing would stay.
 */
public final class TimerStep {
  private static final Logger LOGGER = System.getLogger("dev.tidemark.remote");

  private TimerStep() {}

  /** Takes {@code step}; logs what it throws. */
  public static void take(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      LOGGER.log(Level.ERROR, "A timer goes on after a failure of one of its steps", failure);
    }
  }
}
