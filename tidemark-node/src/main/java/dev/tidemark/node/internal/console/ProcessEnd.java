package dev.tidemark.node.internal.console;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of this process. A signal ends it without waiting for the thread that runs the command;
 * where the command has something left to do and to say, the signal's thread waits for it here.
 */
public final class ProcessEnd {
  private static final CountDownLatch COMMAND_ENDED = new CountDownLatch(1);
  private static volatile int exitCode;

  private ProcessEnd() {}

  /** Ends the process with the exit code of its command. */
  public static void exit(int code) {
    System.out.flush();
    exitCode = code;
    COMMAND_ENDED.countDown();
    System.exit(code);
  }

  /**
   * For the thread of a signal: waits until the command has ended, and ends the process with its
   * exit code. Returns if that takes longer than {@code most}, or the thread is interrupted.
   */
  public static void awaitCommand(Duration most) {
    try {
      if (COMMAND_ENDED.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(exitCode);
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
