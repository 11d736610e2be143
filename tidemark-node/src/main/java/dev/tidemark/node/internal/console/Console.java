package dev.tidemark.node.internal.console;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/**
 * Where a call of the command reads and prints, and what surrounds it.
 *
 * @param in what is typed or piped in
 * @param out data
 * @param err messages
 * @param environment the variables of the process
 * @param terminal whether somebody looks at {@code out}
 */
public record Console(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean terminal) {
  /** Defends the map. */
  public Console {
    environment = Map.copyOf(environment);
  }

  /** The console of this process. The launcher says whether a terminal shows the output. */
  public static Console ofProcess() {
    return new Console(
        System.in,
        System.out,
        System.err,
        System.getenv(),
        Boolean.getBoolean("tidemark.live") && System.getenv("NO_COLOR") == null);
  }

  /** Prints to these, for a program and not for a terminal. */
  public static Console to(PrintStream out, PrintStream err) {
    return new Console(InputStream.nullInputStream(), out, err, System.getenv(), false);
  }

  /** Prints {@code listing} as {@code format} says. */
  public void show(Format format, Listing listing) {
    out.print(format.of(listing));
    out.flush();
  }

  /**
   * Prints a line of an output that has no end.
   *
   * @throws IllegalStateException if nobody reads it any more
   */
  public void line(String text) {
    out.println(text);
    if (out.checkError()) {
      throw new IllegalStateException("The output was closed");
    }
  }

  /** Prints a message about the call. */
  public void complain(String message) {
    err.println("tidemark: " + message);
  }
}
