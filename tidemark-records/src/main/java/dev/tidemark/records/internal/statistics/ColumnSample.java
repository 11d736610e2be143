package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample of the values of one column, every so many rows, in bounded memory: when it is full,
 * every second value goes.
 */
final class ColumnSample {
  private static final int SIZE_MAX = 2_000;
  private static final int VALUE_BYTES_MAX = 200;

  private List<Tuple> values = new ArrayList<>();
  private long every = 1;
  private long untilNext = 1;

  /** The value of one more row. */
  void row(Tuple columns, int column) {
    if (--untilNext > 0) {
      return;
    }
    untilNext = every;
    values.add(shortened(columns.subTuple(column, column + 1)));
    if (values.size() == SIZE_MAX) {
      List<Tuple> half = new ArrayList<>(SIZE_MAX);
      for (int i = 0; i < SIZE_MAX; i += 2) {
        half.add(values.get(i));
      }
      values = half;
      every *= 2;
    }
  }

  /** A long text or byte string is cut: its order stays nearly the same. */
  private static Tuple shortened(Tuple value) {
    if (value.pack().length <= VALUE_BYTES_MAX) {
      return value;
    }
    @Nullable Object element = value.get(0);
    if (element instanceof String text) {
      return Tuple.of(text.substring(0, text.offsetByCodePoints(0, VALUE_BYTES_MAX / 4)));
    }
    return element instanceof byte[] bytes
        ? Tuple.of((Object) Arrays.copyOf(bytes, VALUE_BYTES_MAX))
        : value;
  }

  /** The statistics of a column of {@code rows} rows, extrapolated from the sample. */
  ColumnStatistics finish(double rows, int buckets) {
    values.sort(null);
    HistogramSketch histogram = new HistogramSketch(buckets);
    double weight = values.isEmpty() ? 0 : rows / values.size();
    double distinct = 0;
    double once = 0;
    double nulls = 0;
    for (int from = 0, to = 0; from < values.size(); from = to) {
      while (to < values.size() && values.get(to).equals(values.get(from))) {
        to++;
      }
      distinct++;
      once += to - from == 1 ? 1 : 0;
      nulls += values.get(from).isNull(0) ? to - from : 0;
      histogram.add(values.get(from), (to - from) * weight);
    }
    // Values that occur once in the sample stand for values that it misses (estimator of Charikar
    // et al.).
    double all = distinct - once + Math.sqrt(Math.max(1, weight)) * once;
    return new ColumnStatistics(
        Math.min(rows, all),
        values.isEmpty() ? 0 : nulls / values.size(),
        histogram.finish(buckets));
  }

  Tuple toTuple() {
    Tuple all = Tuple.of(every, untilNext);
    for (Tuple value : values) {
      all = all.nest(value);
    }
    return all;
  }

  static ColumnSample parse(Tuple tuple) {
    ColumnSample sample = new ColumnSample();
    sample.every = tuple.getLong(0);
    sample.untilNext = tuple.getLong(1);
    for (int i = 2; i < tuple.size(); i++) {
      sample.values.add(tuple.getTuple(i));
    }
    return sample;
  }
}
