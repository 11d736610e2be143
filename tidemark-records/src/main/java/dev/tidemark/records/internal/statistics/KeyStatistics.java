package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.Arrays;
import java.util.List;

/**
 * The statistics of the keys of an index, or of the records of a type by their primary keys.
 *
 * <p>Values are elements of keys as they are stored, so those of descending columns are inverted.
 *
 * @param origin the origin of the statistics
 * @param rows how many entries or records there are
 * @param averageBytes the average size of one, key and value
 * @param read the number of rows that were read
 * @param prefixes the first column, the first two, and so on
 * @param histogram the distribution of the rows over the order of all columns
 */
public record KeyStatistics(
    Origin origin,
    double rows,
    double averageBytes,
    long read,
    List<PrefixStatistics> prefixes,
    Histogram histogram) {
  /**
   * The origin of statistics.
   *
   * @param version a version of the store when they were collected
   * @param micros the time then, in microseconds since 1970
   * @param bytes the size of the rows that the store estimated then
   */
  public record Origin(long version, long micros, long bytes) {}

  /** Copies the list. */
  public KeyStatistics {
    prefixes = List.copyOf(prefixes);
  }

  /** The fraction of the rows that begin with {@code leading}. */
  public double equalFraction(Tuple leading) {
    if (leading.isEmpty()) {
      return 1;
    }
    return leading.size() > prefixes.size()
        ? 1 / Math.max(1, rows)
        : prefixes.get(leading.size() - 1).equalFraction(leading);
  }

  /**
   * The fraction of the rows in a range.
   *
   * @param leading the values of the first columns, which all rows of the range have
   * @param from the packed columns of the first row: those of {@code leading}, then others
   * @param to the packed columns behind the last row
   */
  public double rangeFraction(Tuple leading, byte[] from, byte[] to) {
    if (leading.isEmpty()) {
      return histogram.fraction(from, to);
    }
    double equal = equalFraction(leading);
    if (leading.size() >= prefixes.size()) {
      return equal;
    }
    // A value that fills several buckets has its own histogram in them; for others the next column
    // is taken to be spread as it is in all rows.
    boolean fine = equal * histogram.buckets().size() >= 2;
    if (fine) {
      return Math.min(equal, histogram.fraction(from, to));
    }
    int skipped = leading.pack().length;
    return equal
        * prefixes
            .get(leading.size())
            .column()
            .histogram()
            .fraction(
                Arrays.copyOfRange(from, Math.min(skipped, from.length), from.length),
                Arrays.copyOfRange(to, Math.min(skipped, to.length), to.length));
  }
}
