package dev.tidemark.node;

import dev.tidemark.node.internal.command.CommandTable;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.ProcessEnd;

/** The {@code tidemark} command: the first argument names what to do. */
public final class Main {
  private Main() {}

  /** Runs a command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    ProcessEnd.exit(new CommandTable(Console.ofProcess()).run(args));
  }
}
