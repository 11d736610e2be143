package dev.tidemark.node.internal.command.load;

import dev.tidemark.node.internal.console.ProcessEnd;
import java.time.Duration;

/**
 * Stops a load when the process is told to end: it gives back what it holds, prints its result, and
 * its exit code is that of the process.
 */
final class StopAtExit implements AutoCloseable {
  /** Longer than a run needs to give back what it holds. */
  private static final Duration END_MAX = Duration.ofMinutes(1);

  private final Thread hook;

  StopAtExit(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              ProcessEnd.awaitCommand(END_MAX);
            },
            "load-stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook is what ended the load.
    }
  }
}
