package dev.tidemark.node;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command {@code serve}, whose output fails when it says that it stops. */
final class UnwellServe {
  private UnwellServe() {}

  /** Serves as {@link Main} does. */
  public static void main(String[] args) throws InterruptedException {
    PrintStream out =
        new PrintStream(System.out, true, StandardCharsets.UTF_8) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("As injected");
          }
        };
    new ServeCommand(ServeArguments.parse(args), out, System.err).run();
  }
}
