package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;

/**
 * The statistics of one column alone, independent of the columns before it.
 *
 * @param distinct how many different values it has, null included
 * @param nullFraction what share of the rows has null
 * @param histogram how its values are spread; keys have this one element
 */
public record ColumnStatistics(double distinct, double nullFraction, Histogram histogram) {
  /** What share of the rows has {@code value}. */
  public double equalFraction(Tuple value) {
    double single = histogram.single(value);
    if (single > 0) {
      return single;
    }
    double others = distinct - histogram.singles();
    return others < 1 ? 0 : (1 - histogram.singleShare()) / others;
  }

  /** What share of the rows a value has on average. */
  public double averageFraction() {
    return 1 / Math.max(1, distinct);
  }

  /** These statistics with a histogram coarse enough for {@code bytes} bytes. */
  ColumnStatistics within(int bytes) {
    ColumnStatistics known = this;
    while (known.toTuple().pack().length > bytes && known.histogram().buckets().size() > 1) {
      known = new ColumnStatistics(distinct, nullFraction, known.histogram().coarser());
    }
    return known;
  }

  Tuple toTuple() {
    return Tuple.of(distinct, nullFraction).nest(histogram.toTuple());
  }

  static ColumnStatistics parse(Tuple tuple) {
    return new ColumnStatistics(
        tuple.getDouble(0), tuple.getDouble(1), Histogram.parse(tuple.getTuple(2)));
  }
}
