package dev.tidemark.records.internal.query.plan;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.statistics.KeyStatistics;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The collected statistics of the entries of one index, or of primary keys. Statistics have stored
 * keys; here values are converted to keys as a scan does it.
 */
final class CollectedKeys implements IndexStatistics {
  private final KeyStatistics known;
  private final List<ColumnSpec> columns;

  CollectedKeys(KeyStatistics known, List<ColumnSpec> columns) {
    this.known = known;
    this.columns = columns;
  }

  @Override
  public double entries() {
    return known.rows();
  }

  @Override
  public double entryBytes() {
    return known.averageBytes();
  }

  @Override
  public double distinct(int count) {
    double distinct =
        count > known.prefixes().size() ? known.rows() : known.prefixes().get(count - 1).distinct();
    return Math.max(1, distinct);
  }

  @Override
  public double equal(List<@Nullable Object> prefix) {
    return atLeastHalfARow(known.equalFraction(leading(prefix)));
  }

  @Override
  public double within(List<@Nullable Object> prefix, Interval interval) {
    Tuple leading = leading(prefix);
    byte[] lower = lower(leading, interval);
    byte[] upper = upper(leading, interval);
    boolean descending = isDescending(prefix.size());
    return atLeastHalfARow(
        known.rangeFraction(leading, descending ? upper : lower, descending ? lower : upper));
  }

  /** Values that the sample does not have may exist. */
  private double atLeastHalfARow(double fraction) {
    return Math.max(fraction, 0.5 / Math.max(1, known.rows()));
  }

  private Tuple leading(List<@Nullable Object> prefix) {
    Tuple leading = Tuple.EMPTY;
    for (int i = 0; i < prefix.size(); i++) {
      leading = leading.append(stored(i, prefix.get(i)));
    }
    return leading;
  }

  private boolean isDescending(int column) {
    return column < columns.size() && columns.get(column).descending();
  }

  private @Nullable Object stored(int column, @Nullable Object element) {
    return isDescending(column) ? KeyElements.descending(element) : KeyElements.clamped(element);
  }

  /**
   * The begin of the interval in the order of values; without a lower bound, behind null. In a
   * descending column the order is reversed.
   */
  private byte[] lower(Tuple leading, Interval interval) {
    boolean open = interval.lower() == null;
    boolean inclusive = !open && interval.lowerInclusive();
    byte[] at = leading.append(stored(leading.size(), interval.lower())).pack();
    return isDescending(leading.size()) == inclusive ? past(at) : at;
  }

  private byte[] upper(Tuple leading, Interval interval) {
    boolean descending = isDescending(leading.size());
    if (interval.upper() == null) {
      return descending ? leading.pack() : past(leading.pack());
    }
    byte[] at = leading.append(stored(leading.size(), interval.upper())).pack();
    return descending == interval.upperInclusive() ? at : past(at);
  }

  /** The end of all keys that begin with {@code packed} and go on with another element. */
  private static byte[] past(byte[] packed) {
    byte[] end = Arrays.copyOf(packed, packed.length + 1);
    end[packed.length] = (byte) 0xff;
    return end;
  }
}
