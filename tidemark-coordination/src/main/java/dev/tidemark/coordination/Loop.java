package dev.tidemark.coordination;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Runs rounds of work until it is closed, with one rule for failures: the owner is called with any
 * exception or {@link Error}, and after a pause the next round begins. So a loop never ends
 * unnoticed while its owner seems alive. An owner that holds a lease gives it up after {@link
 * #ERRORS_MAX} errors in a row, so that others do its work.
 *
 * <p>Only the end interrupts the thread of a loop. An interrupt before that is a failure like any
 * other.
 */
public final class Loop implements Runnable {
  /** After so many errors in a row the next round is not expected to succeed. */
  public static final int ERRORS_MAX = 10;

  private static final System.Logger LOG = System.getLogger("dev.tidemark.coordination");
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final TimeSource time;
  private final BooleanSupplier closed;
  private final Round round;
  private final Owner owner;

  /** What is done again and again. */
  @FunctionalInterface
  public interface Round {
    /** Does some work, or waits for it. */
    void run() throws InterruptedException;
  }

  /** Called with failures. */
  @FunctionalInterface
  public interface Owner {
    /**
     * A round has failed.
     *
     * @param inARow how many have since the last one that did not, this one included
     * @return how long to wait before the next one
     */
    Duration failed(Throwable failure, int inARow);
  }

  /**
   * A loop, to be run by a thread.
   *
   * @param closed whether it is to end; asked before each round and after each failure
   */
  public Loop(TimeSource time, BooleanSupplier closed, Round round, Owner owner) {
    this.time = time;
    this.closed = closed;
    this.round = round;
    this.owner = owner;
  }

  /** Whether {@code failure}, the last of {@code inARow}, means that the owner should give up. */
  public static boolean isHopeless(Throwable failure, int inARow) {
    return failure instanceof Error && inARow >= ERRORS_MAX;
  }

  @Override
  public void run() {
    int failures = 0;
    while (!closed.getAsBoolean()) {
      try {
        round.run();
        failures = 0;
      } catch (Throwable failure) {
        if (closed.getAsBoolean()) {
          return;
        }
        failures++;
        clearInterrupt(failure);
        pause(tell(failure, failures));
      }
    }
  }

  private static void clearInterrupt(Throwable failure) {
    if (failure instanceof InterruptedOperationException) {
      Thread.interrupted();
    }
  }

  private Duration tell(Throwable failure, int inARow) {
    try {
      return owner.failed(failure, inARow);
    } catch (Throwable deaf) {
      LOG.log(Level.ERROR, "A loop goes on after a failure that its owner did not take", deaf);
      return PAUSE;
    }
  }

  private void pause(Duration duration) {
    try {
      time.sleep(duration);
    } catch (InterruptedException interrupt) {
      // The end, or nothing: the loop checks.
    }
  }
}
