package dev.tidemark.node.internal.command.serve;

import dev.tidemark.node.internal.command.CommandTable;
import dev.tidemark.node.internal.console.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command {@code serve}, whose output fails when it says that it stops. */
final class UnwellServe {
  private UnwellServe() {}

  /** Serves as the command does. */
  public static void main(String[] args) {
    PrintStream out =
        new PrintStream(System.out, true, StandardCharsets.UTF_8) {
          @Override
          public void println(String line) {
            if (line.contains("stopping")) {
              throw new IllegalStateException("As injected");
            }
            super.println(line);
          }
        };
    System.exit(new CommandTable(Console.to(out, System.err)).run(args));
  }
}
