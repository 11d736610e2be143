package dev.tidemark.partitions.internal.simulation;

import dev.tidemark.partitions.internal.simulation.NodeLoss.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws how many partitions are not served, second by second after nodes were lost. */
final class ScaleChart {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 330;
  private static final int LEFT = 70;
  private static final int RIGHT = 730;
  private static final int TOP = 80;
  private static final int BOTTOM = 280;
  private static final List<String> COLOURS = List.of("#0b7285", "#d9730d", "#862e9c");

  private ScaleChart() {}

  static String svg(Map<Integer, Result> losses) {
    double last = losses.values().stream().mapToDouble(Result::lastServed).max().orElseThrow();
    double seconds = Math.ceil(last / 5_000) * 5;
    StringBuilder svg = new StringBuilder();
    line(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " role=\"img\" aria-label=\"Share of partitions of lost nodes that are not served\">",
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT);
    line(
        svg,
        "<style>text { font-family: system-ui, sans-serif; font-size: 12px; fill: #57606a } .title"
            + " { font-size: 16px; font-weight: 600; fill: #24292f } .grid { stroke: #d8dee4 }"
            + " .curve { fill: none; stroke-width: 2 }</style>");
    line(
        svg,
        "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#fdfdfc\""
            + " stroke=\"#d0d7de\"/>",
        WIDTH - 1,
        HEIGHT - 1);
    line(
        svg,
        "<text class=\"title\" x=\"24\" y=\"30\">Partitions of lost nodes that are not served"
            + " yet</text>");
    line(
        svg,
        "<text x=\"24\" y=\"50\">1,000 nodes, 100,000 partitions, virtual time; leases of 10"
            + " seconds, which end 6.7 to 10 seconds after the loss</text>");
    axes(svg, seconds);
    int colour = 0;
    for (Map.Entry<Integer, Result> loss : losses.entrySet()) {
      curve(svg, loss, seconds, colour++);
    }
    line(svg, "</svg>");
    return svg.toString();
  }

  private static void axes(StringBuilder svg, double seconds) {
    for (int percent = 0; percent <= 100; percent += 25) {
      double y = y(percent / 100.0);
      line(
          svg,
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
          LEFT,
          y,
          RIGHT,
          y);
      line(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>",
          LEFT - 8,
          y + 4,
          percent);
    }
    for (int second = 0; second <= seconds; second += 5) {
      double x = x(second, seconds);
      line(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>",
          x,
          BOTTOM + 18,
          second);
    }
  }

  private static void curve(
      StringBuilder svg, Map.Entry<Integer, Result> loss, double seconds, int number) {
    List<Double> served = loss.getValue().servedAt();
    StringBuilder path = new StringBuilder();
    path.append(String.format(Locale.ROOT, "M%.1f %.1f", x(0, seconds), y(1)));
    int step = Math.max(1, served.size() / 100);
    for (int i = 0; i < served.size(); i += step) {
      double left = 1 - (double) i / served.size();
      path.append(
          String.format(Locale.ROOT, " L%.1f %.1f", x(served.get(i) / 1_000, seconds), y(left)));
    }
    path.append(
        String.format(
            Locale.ROOT, " L%.1f %.1f", x(loss.getValue().lastServed() / 1_000, seconds), y(0)));
    String colour = COLOURS.get(number % COLOURS.size());
    line(svg, "<path class=\"curve\" stroke=\"%s\" d=\"%s\"/>", colour, path);
    line(
        svg,
        "<text x=\"%d\" y=\"%d\" style=\"fill: %s\">%d %s lost, %,d partitions</text>",
        LEFT + number * 220,
        BOTTOM + 40,
        colour,
        loss.getKey(),
        loss.getKey() == 1 ? "node" : "nodes",
        served.size());
  }

  private static double x(double second, double seconds) {
    return LEFT + (RIGHT - LEFT) * second / seconds;
  }

  private static double y(double share) {
    return BOTTOM - (BOTTOM - TOP) * share;
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that nobody else needs
  private static void line(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
