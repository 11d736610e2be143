package dev.tidemark.chaos.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Says how far a run is: every round to a terminal, now and then to a file. */
public final class Progress {
  private final PrintStream out;
  private final int shownOneIn;
  private final boolean terminal = isTerminal();

  /** Shows one in {@code shownOneIn} rounds where nobody watches. */
  public Progress(PrintStream out, int shownOneIn) {
    this.out = out;
    this.shownOneIn = shownOneIn;
  }

  void say(String line) {
    out.println(line);
  }

  void round(int round, String line) {
    if (terminal || round % shownOneIn == 0) {
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
