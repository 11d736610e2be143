package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.ColumnNames;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.maintenance.StatisticsReport.Bucket;
import dev.tidemark.records.maintenance.StatisticsReport.Common;
import dev.tidemark.records.maintenance.StatisticsReport.Part;
import dev.tidemark.records.maintenance.StatisticsReport.Prefix;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts statistics of elements of keys to reports with values of fields. */
public final class Reports {
  private Reports() {}

  /** The report of the statistics that are stored in {@code space}. */
  public static StatisticsReport of(Space space, ReadTransaction tx) {
    List<Part> parts = new ArrayList<>();
    for (Target target : Target.all(space, tx)) {
      StoredStatistics.read(tx.snapshot(), space.keys().statistics(target.id()))
          .ifPresent(known -> parts.add(part(target, known)));
    }
    return new StatisticsReport(parts);
  }

  private static Part part(Target target, KeyStatistics known) {
    return new Part(
        target.name(),
        known.rows(),
        known.averageBytes(),
        known.read(),
        known.origin().version(),
        Instant.EPOCH.plus(known.origin().micros(), ChronoUnit.MICROS),
        prefixes(target, known),
        known.histogram().buckets().stream()
            .map(
                bucket ->
                    new Bucket(
                        values(target, bucket.min()), values(target, bucket.max()), bucket.count()))
            .toList());
  }

  private static List<Prefix> prefixes(Target target, KeyStatistics known) {
    List<String> names =
        target.columns().stream().map(column -> ColumnNames.of(target.type(), column)).toList();
    List<Prefix> prefixes = new ArrayList<>();
    for (int i = 0; i < known.prefixes().size(); i++) {
      PrefixStatistics prefix = known.prefixes().get(i);
      List<Common> common = new ArrayList<>();
      prefix
          .common()
          .forEach((values, share) -> common.add(new Common(values(target, values), share)));
      prefixes.add(
          new Prefix(
              names.subList(0, i + 1), prefix.distinct(), prefix.column().nullFraction(), common));
    }
    return prefixes;
  }

  private static List<@Nullable Object> values(Target target, Tuple elements) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      values.add(value(target, i, elements.get(i)));
    }
    return values;
  }

  /** The value of an element; the element itself if it was truncated and is no value. */
  private static @Nullable Object value(Target target, int column, @Nullable Object element) {
    ColumnSpec spec = target.columns().get(column);
    FieldType type = spec.typeIn(target.type());
    try {
      return spec.descending() && element instanceof byte[] inverted
          ? KeyElements.value(type, KeyElements.ascending(inverted))
          : KeyElements.value(type, element);
    } catch (MalformedTupleException | IndexOutOfBoundsException cut) {
      return element;
    }
  }
}
