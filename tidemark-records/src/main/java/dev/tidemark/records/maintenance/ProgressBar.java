package dev.tidemark.records.maintenance;

import java.time.Duration;
import java.util.Locale;

/** A build's progress as a line of plain text, for terminals and logs. */
final class ProgressBar {
  private ProgressBar() {}

  /** See {@link BuildProgress#line}. */
  static String line(BuildProgress progress, int width) {
    if (width < 1) {
      throw new IllegalArgumentException("width is " + width + "; a bar has a character or more");
    }
    StringBuilder line = new StringBuilder();
    switch (progress.certainty()) {
      case EXACT -> bar(line, progress, width, "");
      case ESTIMATED -> bar(line, progress, width, "about ");
      case UNKNOWN -> line.append(String.format(Locale.ROOT, "%,d records", progress.scanned()));
    }
    line.append(String.format(Locale.ROOT, "  %,.0f/s", progress.perSecond()));
    if (!progress.complete()) {
      progress.remaining().ifPresent(left -> line.append("  ").append(clock(left)).append(" left"));
    }
    if (progress.aborted() > 0) {
      line.append(String.format(Locale.ROOT, "  %,d batches tried again", progress.aborted()));
    }
    return line.toString();
  }

  private static void bar(StringBuilder line, BuildProgress progress, int width, String about) {
    int full = (int) (progress.fraction() * width);
    line.append('[')
        .append("#".repeat(full))
        .append("-".repeat(width - full))
        .append(
            String.format(
                Locale.ROOT,
                "] %3d %%  %,d of %s%,d records",
                (int) (progress.fraction() * 100),
                progress.scanned(),
                about,
                progress.total()));
  }

  private static String clock(Duration time) {
    return time.toHours() > 0
        ? String.format(
            Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
        : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
  }
}
