package dev.tidemark.chaos;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Says how far a run is: every round to a terminal, now and then to a file. */
final class Progress {
  private static final int SELDOM = 10;

  private final PrintStream out;
  private final boolean terminal = isTerminal();

  Progress(PrintStream out) {
    this.out = out;
  }

  void say(String line) {
    out.println(line);
  }

  void round(int round, String line) {
    if (terminal || round % SELDOM == 0) {
      out.println(line);
    }
  }

  private static boolean isTerminal() {
    try {
      Path output = Path.of("/proc/self/fd/1").toRealPath();
      return output.startsWith("/dev") && !output.endsWith("null");
    } catch (IOException unknown) {
      return false;
    }
  }
}
