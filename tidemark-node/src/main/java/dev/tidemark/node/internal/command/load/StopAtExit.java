package dev.tidemark.node.internal.command.load;

/** Stops a load when the process is told to end, so that it gives back what it holds. */
final class StopAtExit implements AutoCloseable {
  private final Thread hook;

  StopAtExit(Runnable stop) {
    hook = new Thread(stop, "load-stop");
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
