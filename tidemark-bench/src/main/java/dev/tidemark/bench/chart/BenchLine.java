package dev.tidemark.bench.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last line of a run, as the page of benchmarks quotes it.
 *
 * @param run the name of the run, such as {@code engine}
 * @param values the results by their keys, in their order
 */
record BenchLine(String run, Map<String, Double> values) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^ {4}bench ([a-z]+): ((?:[a-z0-9_]+=[0-9.]+ ?)+)$");
  private static final Pattern VALUE = Pattern.compile("([a-z0-9_]+)=([0-9.]+)");

  /** All lines of {@code run} in {@code page}, in their order. */
  static List<BenchLine> all(String page, String run) {
    return LINE.matcher(page)
        .results()
        .filter(line -> line.group(1).equals(run))
        .map(line -> new BenchLine(run, values(line.group(2))))
        .toList();
  }

  private static Map<String, Double> values(String text) {
    Map<String, Double> values = new LinkedHashMap<>();
    Matcher value = VALUE.matcher(text);
    while (value.find()) {
      values.put(value.group(1), Double.valueOf(value.group(2)));
    }
    return values;
  }

  double value(String key) {
    Double value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "The line of run '%s' has no '%s'; it has %s".formatted(run, key, values.keySet()));
    }
    return value;
  }
}
