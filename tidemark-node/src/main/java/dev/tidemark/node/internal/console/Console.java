package dev.tidemark.node.internal.console;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * Tells a script what a command has done: one object that begins with {@code done}. People are
   * told nothing, since no message means success.
   */
  public void done(Format format, String what, @Nullable Object... namesAndValues) {
    if (format.json()) {
      line(object("done", what, namesAndValues));
    }
  }

  /** Says what a command has done: {@code sentence} to people, an object to a script. */
  public void say(Format format, String sentence, String what, @Nullable Object... namesAndValues) {
    line(format.json() ? object("done", what, namesAndValues) : sentence);
  }

  /**
   * Says what happens in a command that goes on: {@code sentence} to people, one object that begins
   * with {@code event} to a script.
   */
  public void event(
      Format format, String sentence, String what, @Nullable Object... namesAndValues) {
    out.println(format.json() ? object("event", what, namesAndValues) : sentence);
    out.flush();
  }

  private static String object(String first, String what, @Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put(first, what);
    object.putAll(Json.object(namesAndValues));
    return Json.of(object);
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
