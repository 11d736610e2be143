package dev.tidemark.node.internal.meters.output;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * What the demo shows while it runs: a few lines in place on a terminal, else a line now and then.
 * One thread at a time.
 */
final class LiveSummary {
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);
  private static final int WIDTH = 20;

  private final PrintStream out;
  private final boolean inPlace;
  private int linesInPlace;
  private long shown;

  LiveSummary(PrintStream out, boolean inPlace) {
    this.out = out;
    this.inPlace = inPlace;
  }

  /** A bar that is filled up to {@code done}, which is between 0 and 1. */
  static String bar(double done) {
    int filled = (int) Math.round(Math.clamp(done, 0, 1) * WIDTH);
    return "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "]";
  }

  /** Shows how far the run is, in lines that are short enough for a narrow terminal. */
  void show(List<String> lines) {
    if (inPlace) {
      erase();
      lines.forEach(line -> out.println("  " + line));
      linesInPlace = lines.size();
      out.flush();
    } else if (shown == 0 || System.nanoTime() - shown > LINE_EVERY.toNanos()) {
      shown = System.nanoTime();
      out.println("  " + String.join("  ", lines));
      out.flush();
    }
  }

  /** Shows a line on a terminal, and nothing elsewhere. */
  void showInPlace(String line) {
    if (inPlace) {
      show(List.of(line));
    }
  }

  /** Says something that stays. */
  void say(String text) {
    erase();
    out.println(text.isEmpty() ? "" : "  " + text);
    out.flush();
  }

  /** Removes what was shown in place. */
  void erase() {
    if (linesInPlace > 0) {
      out.print("\033[" + linesInPlace + "A\033[J");
      out.flush();
      linesInPlace = 0;
    }
  }
}
