package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Tuple;
import java.util.Arrays;
import java.util.List;

/**
 * What is known about the keys of an index, or of the records of a type by their primary keys.
 *
 * <p>Values are elements of keys as they are stored, so those of descending columns are inverted.
 *
 * @param origin when and from what it was found
 * @param rows how many entries or records there are
 * @param averageBytes how large one is, key and value
 * @param read how many of them were read to find out
 * @param prefixes the first column, the first two, and so on
 * @param histogram how rows are spread over the order of all columns
 */
public record KeyStatistics(
    Origin origin,
    double rows,
    double averageBytes,
    long read,
    List<PrefixStatistics> prefixes,
    Histogram histogram) {
  /**
   * Where statistics come from.
   *
   * @param version a version of the store when they were collected
   * @param micros the time then, in microseconds since 1970
   * @param bytes how large the store took the rows to be then
   */
  public record Origin(long version, long micros, long bytes) {}

  /** Copies the list. */
  public KeyStatistics {
    prefixes = List.copyOf(prefixes);
  }

  /** What share of the rows begins with {@code leading}. */
  public double equalFraction(Tuple leading) {
    if (leading.isEmpty()) {
      return 1;
    }
    return leading.size() > prefixes.size()
        ? 1 / Math.max(1, rows)
        : prefixes.get(leading.size() - 1).equalFraction(leading);
  }

  /**
   * What share of the rows is in a range.
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
