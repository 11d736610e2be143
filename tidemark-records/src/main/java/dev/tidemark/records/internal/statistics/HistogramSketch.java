package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.statistics.Histogram.Bucket;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds a histogram of values that come in order, in bounded memory: when there are too many
 * buckets, their depth doubles.
 */
final class HistogramSketch {
  private final int bucketsMax;
  private List<Bucket> buckets;
  private double depth;

  HistogramSketch(int bucketsWanted) {
    this(4 * bucketsWanted, new ArrayList<>(), 1);
  }

  private HistogramSketch(int bucketsMax, List<Bucket> buckets, double depth) {
    this.bucketsMax = bucketsMax;
    this.buckets = buckets;
    this.depth = depth;
  }

  /** {@code count} rows of {@code value}, which comes after all that came before. */
  void add(Tuple value, double count) {
    add(new Bucket(value, value, count));
  }

  /** {@code count} rows with values between {@code from}, which came last, and {@code to}. */
  void addBetween(Tuple from, Tuple to, double count) {
    add(new Bucket(from, to, count));
  }

  private void add(Bucket bucket) {
    add(buckets, bucket, depth);
    while (buckets.size() > bucketsMax) {
      depth *= 2;
      buckets = merged(depth);
    }
  }

  private static void add(List<Bucket> to, Bucket next, double depth) {
    Bucket last = to.isEmpty() ? null : to.getLast();
    if (last != null && last.count() + next.count() <= depth) {
      to.set(to.size() - 1, new Bucket(last.min(), next.max(), last.count() + next.count()));
    } else {
      to.add(next);
    }
  }

  private List<Bucket> merged(double deeper) {
    List<Bucket> fewer = new ArrayList<>();
    for (Bucket bucket : buckets) {
      add(fewer, bucket, deeper);
    }
    return fewer;
  }

  /** The histogram with about {@code wanted} buckets. */
  Histogram finish(int wanted) {
    double rows = buckets.stream().mapToDouble(Bucket::count).sum();
    return new Histogram(merged(Math.max(depth, rows / wanted)));
  }

  Tuple toTuple() {
    return Tuple.of(bucketsMax, depth).concat(new Histogram(buckets).toTuple());
  }

  static HistogramSketch parse(Tuple tuple) {
    Histogram buckets = Histogram.parse(tuple.subTuple(2, tuple.size()));
    return new HistogramSketch(
        tuple.getInt(0), new ArrayList<>(buckets.buckets()), tuple.getDouble(1));
  }
}
