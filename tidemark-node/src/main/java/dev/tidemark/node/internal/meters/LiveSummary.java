package dev.tidemark.node.internal.meters;

import java.io.PrintStream;
import java.time.Duration;

/** What the demo shows while it runs: one line in place on a terminal, else a line now and then. */
final class LiveSummary {
  private static final String ERASE = "\r\033[K";
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);
  private static final int WIDTH = 20;

  private final PrintStream out;
  private final boolean inPlace;
  private long shown;

  LiveSummary(PrintStream out, boolean inPlace) {
    this.out = out;
    this.inPlace = inPlace;
  }

  /** Shows how far the run is. */
  void show(double done, String text) {
    int filled = (int) Math.round(Math.clamp(done, 0, 1) * WIDTH);
    String bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
    if (inPlace) {
      out.print(ERASE + "  [" + bar + "] " + text);
    } else if (shown == 0 || System.nanoTime() - shown > LINE_EVERY.toNanos()) {
      shown = System.nanoTime();
      out.println("  [" + bar + "] " + text);
    }
    out.flush();
  }

  /** Says something that stays. */
  void say(String text) {
    out.println((inPlace ? ERASE : "") + "  " + text);
    out.flush();
  }

  void end() {
    if (inPlace) {
      out.print(ERASE);
      out.flush();
    }
  }
}
