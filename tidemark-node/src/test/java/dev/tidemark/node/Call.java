package dev.tidemark.node;

import dev.tidemark.node.internal.command.CommandTable;
import dev.tidemark.node.internal.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Calls of the command within this process, and what the last of them printed. */
public final class Call {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment;

  /** Calls without variables of an environment. */
  public Call() {
    this(Map.of());
  }

  /** Calls in {@code environment}. */
  public Call(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Runs the command with {@code args}; returns its exit code. */
  public int run(String... args) {
    out.reset();
    err.reset();
    return new CommandTable(
            new Console(InputStream.nullInputStream(), print(out), print(err), environment, false))
        .run(args);
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  /** What the call printed as data. */
  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What it complained about. */
  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
