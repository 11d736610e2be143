package dev.tidemark.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars on a logarithmic axis, from 1 to the right where we are faster and to the left
 * where we are slower. The picture has its own light background, so that it can be read on pages of
 * any colour.
 */
final class RatioChart {
  private static final int WIDTH = 860;
  private static final int AXIS = 500;
  private static final int OCTAVE = 95;
  private static final int ROW = 24;
  private static final int TOP = 96;
  private static final int BAR = 14;
  private static final List<Double> TICKS = List.of(0.25, 0.5, 1.0, 2.0, 4.0, 8.0);

  private final String title;
  private final String subtitle;
  private final List<String> rows = new ArrayList<>();
  private int y = TOP;

  RatioChart(String title, String subtitle) {
    this.title = title;
    this.subtitle = subtitle;
  }

  /** Begins a group of bars. */
  void group(String name) {
    y += 10;
    rows.add(text(24, y + 16, "group", "start", name));
    y += ROW;
  }

  /** Adds a bar. */
  void bar(String label, double ratio) {
    double end = x(ratio);
    double left = Math.min(end, AXIS);
    rows.add(text(40, y + 16, "label", "start", label));
    rows.add(
        "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"2\"/>"
            .formatted(
                ratio < 1 ? "slower" : "faster",
                number(left),
                y + 5,
                number(Math.max(1, Math.abs(end - AXIS))),
                BAR));
    boolean right = ratio >= 1;
    rows.add(
        text(
            right ? end + 6 : end - 6,
            y + 16,
            "value",
            right ? "start" : "end",
            String.format(Locale.ROOT, "%.2f", ratio)));
    y += ROW;
  }

  private static double x(double ratio) {
    return AXIS + OCTAVE * Math.log(ratio) / Math.log(2);
  }

  /** The whole picture. */
  String svg() {
    int height = y + 40;
    List<String> lines = new ArrayList<>();
    lines.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">"
            .formatted(WIDTH, height, WIDTH, height, escaped(title)));
    lines.add(
        """
        <style>
        text { font-family: system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', sans-serif; fill: #24292f }
        .title { font-size: 18px; font-weight: 600 } .subtitle { font-size: 12.5px; fill: #57606a }
        .group { font-size: 13.5px; font-weight: 600; paint-order: stroke; stroke: #fdfdfc; stroke-width: 5px } .label { font-size: 13px } .value { font-size: 12px; fill: #424a53 }
        .tick { font-size: 11.5px; fill: #57606a } .grid { stroke: #d8dee4 } .one { stroke: #57606a; stroke-width: 1.5 }
        .faster { fill: #0b7285 } .slower { fill: #d9730d }
        </style>"""
            .strip());
    lines.add(
        "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fdfdfc\" stroke=\"#d0d7de\"/>"
            .formatted(WIDTH - 1, height - 1));
    lines.add(text(24, 34, "title", "start", title));
    lines.add(text(24, 56, "subtitle", "start", subtitle));
    for (double tick : TICKS) {
      lines.add(
          "<line class=\"%s\" x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\"/>"
              .formatted(
                  tick == 1 ? "one" : "grid",
                  number(x(tick)),
                  TOP - 6,
                  number(x(tick)),
                  height - 30));
      lines.add(text(x(tick), TOP - 12, "tick", "middle", tick(tick)));
    }
    lines.addAll(rows);
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private static String tick(double tick) {
    return tick < 1 ? "1/%d".formatted(Math.round(1 / tick)) : "%d×".formatted(Math.round(tick));
  }

  private static String text(double x, int y, String style, String anchor, String what) {
    return "<text class=\"%s\" x=\"%s\" y=\"%d\" text-anchor=\"%s\">%s</text>"
        .formatted(style, number(x), y, anchor, escaped(what));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
