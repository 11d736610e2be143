package dev.tidemark.records.query;

import java.util.Locale;

/** Shows an {@link Explain} as text. */
final class ExplainText {
  private final StringBuilder text = new StringBuilder();

  private ExplainText() {}

  static String of(Explain explain) {
    ExplainText shown = new ExplainText();
    shown.node(explain.plan(), 0);
    if (!explain.rejected().isEmpty()) {
      shown.text.append("rejected\n");
      explain.rejected().forEach(shown::rejected);
    }
    return shown.text.toString();
  }

  private void node(Explain.Node node, int depth) {
    text.append("  ".repeat(depth)).append(node.what());
    node.index().ifPresent(index -> text.append(' ').append(index));
    node.estimate().ifPresent(this::estimate);
    node.actual().ifPresent(this::actual);
    text.append('\n');
    for (String detail : node.details()) {
      text.append("  ".repeat(depth + 2)).append(detail).append('\n');
    }
    node.sources().forEach(source -> node(source, depth + 1));
  }

  private void estimate(Explain.Estimate estimate) {
    text.append(
        String.format(
            Locale.ROOT,
            "  (rows ~%,.0f, keys ~%,.0f, cost %,.0f)",
            estimate.rows(),
            estimate.keys(),
            estimate.cost()));
  }

  private void actual(Explain.Actual actual) {
    text.append(
        String.format(
            Locale.ROOT,
            "  (actual rows %,d, keys %,d, %.3f ms)",
            actual.rows(),
            actual.keys(),
            actual.time().toNanos() / 1e6));
  }

  private void rejected(Explain.Rejected rejected) {
    text.append("  ").append(rejected.plan()).append(": ").append(rejected.reason());
    if (rejected.cost().isPresent()) {
      text.append(String.format(Locale.ROOT, " (cost %,.0f)", rejected.cost().getAsDouble()));
    }
    text.append('\n');
  }
}
