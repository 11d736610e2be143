package dev.tidemark.node.internal.command.records;

import dev.tidemark.node.internal.console.Json;
import dev.tidemark.records.maintenance.StatisticsReport.Bucket;
import dev.tidemark.records.maintenance.StatisticsReport.Common;
import dev.tidemark.records.maintenance.StatisticsReport.Part;
import dev.tidemark.records.maintenance.StatisticsReport.Prefix;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Statistics as text, with the histogram as a picture. */
final class StatisticsText {
  private static final int COMMON_SHOWN = 5;
  private static final int BARS = 16;
  private static final int BAR_WIDTH = 40;
  private static final int VALUE_WIDTH = 24;

  private StatisticsText() {}

  static List<String> lines(Part part) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,.0f rows of %,.0f bytes; %,d read at %s",
            part.name(),
            part.rows(),
            part.averageBytes(),
            part.read(),
            part.collected()));
    part.prefixes().forEach(prefix -> lines.add("  " + prefix(prefix)));
    lines.addAll(bars(part));
    return lines;
  }

  /** What is known about {@code part}, for JSON. */
  static Object object(Part part) {
    return Json.object(
        "name", part.name(),
        "rows", part.rows(),
        "average_bytes", part.averageBytes(),
        "read", part.read(),
        "collected", part.collected(),
        "prefixes", part.prefixes().stream().map(StatisticsText::object).toList());
  }

  private static Object object(Prefix prefix) {
    return Json.object(
        "columns", prefix.columns(),
        "distinct", prefix.distinct(),
        "null_fraction", prefix.nullFraction());
  }

  private static String prefix(Prefix prefix) {
    String common =
        prefix.common().stream()
            .limit(COMMON_SHOWN)
            .map(StatisticsText::common)
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "(%s) %,.0f different, %.1f %% null%s",
        String.join(", ", prefix.columns()),
        prefix.distinct(),
        100 * prefix.nullFraction(),
        common.isEmpty() ? "" : "; common: " + common);
  }

  private static String common(Common common) {
    return String.format(
        Locale.ROOT, "%s %.1f %%", values(common.values()), 100 * common.fraction());
  }

  /** The buckets, several to a line if there are many; the widest bar is the fullest line. */
  private static List<String> bars(Part part) {
    List<Bucket> buckets = part.histogram();
    int perLine = Math.max(1, (buckets.size() + BARS - 1) / BARS);
    List<Bucket> joined = new ArrayList<>();
    for (int from = 0; from < buckets.size(); from += perLine) {
      List<Bucket> some = buckets.subList(from, Math.min(buckets.size(), from + perLine));
      joined.add(
          new Bucket(
              some.getFirst().min(),
              some.getLast().max(),
              some.stream().mapToDouble(Bucket::rows).sum()));
    }
    double most = joined.stream().mapToDouble(Bucket::rows).max().orElse(1);
    return joined.stream()
        .map(
            bucket ->
                String.format(
                    Locale.ROOT,
                    "    %-" + VALUE_WIDTH + "s .. %-" + VALUE_WIDTH + "s %,12.0f %s",
                    values(bucket.min()),
                    values(bucket.max()),
                    bucket.rows(),
                    "#".repeat((int) Math.ceil(BAR_WIDTH * bucket.rows() / most))))
        .toList();
  }

  private static String values(List<@Nullable Object> values) {
    String all = values.stream().map(StatisticsText::value).collect(Collectors.joining(", "));
    return all.length() <= VALUE_WIDTH ? all : all.substring(0, VALUE_WIDTH - 1) + "…";
  }

  private static String value(@Nullable Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }
}
