package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Accumulates statistics from rows in the order of their keys, with gaps between stretches, in
 * bounded memory. It is stored between transactions.
 */
final class KeySketch {
  private final int width;
  private final Size size;
  private final List<PrefixSketch> prefixes = new ArrayList<>();
  private final List<ColumnSample> columns = new ArrayList<>();
  private HistogramSketch histogram;
  private @Nullable Tuple last;

  /** Rows with the columns of {@link #last}, not yet in the histogram. */
  private double run;

  private double rows;
  private long read;
  private long bytes;
  private double gap;

  /**
   * The bounds of a sketch.
   *
   * @param buckets of a histogram
   * @param common values of a prefix
   */
  record Size(int buckets, int common) {}

  /** Keys whose first {@code width} elements are of interest. */
  KeySketch(int width, Size size) {
    this.width = width;
    this.size = size;
    this.histogram = new HistogramSketch(size.buckets());
    for (int i = 0; i < width; i++) {
      prefixes.add(new PrefixSketch(size.common()));
      columns.add(new ColumnSample());
    }
  }

  /** How many rows were read. */
  long read() {
    return read;
  }

  /** Skips about {@code skipped} rows. */
  void skip(double skipped) {
    gap += skipped;
  }

  /** Adds bytes to the last row. */
  void more(int rowBytes) {
    bytes += rowBytes;
  }

  /** Adds the next row, with its columns and its size. */
  void row(Tuple next, int rowBytes) {
    int same = last == null ? 0 : sharedElements(last, next);
    if (gap > 0) {
      closeGap(same, next);
    }
    if (last != null && same < width && run > 0) {
      histogram.add(last, run);
      run = 0;
    }
    for (int i = 0; i < width; i++) {
      boolean changed = last != null && same <= i && gap == 0;
      prefixes.get(i).row(changed, changed ? prefix(i) : Tuple.EMPTY);
      columns.get(i).row(next, i);
    }
    gap = 0;
    last = same == width && last != null ? last : next;
    run++;
    rows++;
    read++;
    bytes += rowBytes;
  }

  private void closeGap(int same, Tuple next) {
    rows += gap;
    if (last == null || same == width) {
      run += gap;
    } else {
      histogram.add(last, run);
      histogram.addBetween(last, next, gap);
      run = 0;
    }
    for (int i = 0; i < width && last != null; i++) {
      boolean changed = same <= i;
      prefixes.get(i).gap(gap, changed, changed ? prefix(i) : Tuple.EMPTY);
    }
  }

  private Tuple prefix(int column) {
    return Objects.requireNonNull(last).subTuple(0, column + 1);
  }

  /** The length of the common prefix of two rows. */
  private int sharedElements(Tuple one, Tuple other) {
    for (int count = width; count > 0; count--) {
      if (one.subTuple(0, count).equals(other.subTuple(0, count))) {
        return count;
      }
    }
    return 0;
  }

  /** The statistics of all rows. */
  KeyStatistics finish(KeyStatistics.Origin origin) {
    rows += gap;
    run += gap;
    Tuple end = last;
    if (end == null) {
      return new KeyStatistics(origin, 0, 0, 0, List.of(), Histogram.EMPTY);
    }
    List<PrefixStatistics> known = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      PrefixSketch sketch = prefixes.get(i);
      sketch.finish(prefix(i));
      known.add(
          PrefixStatistics.of(
              Math.min(rows, sketch.distinct()),
              sketch.common(),
              rows,
              columns.get(i).finish(rows, size.buckets() / 2)));
    }
    if (width > 0) {
      histogram.add(end, run);
    }
    return new KeyStatistics(
        origin, rows, (double) bytes / read, read, known, histogram.finish(size.buckets()));
  }

  Tuple toTuple() {
    Tuple sketches = Tuple.EMPTY;
    Tuple samples = Tuple.EMPTY;
    for (int i = 0; i < width; i++) {
      sketches = sketches.nest(prefixes.get(i).toTuple());
      samples = samples.nest(columns.get(i).toTuple());
    }
    Tuple tuple =
        Tuple.of(width, run, rows, read, bytes, gap)
            .nest(histogram.toTuple())
            .nest(sketches)
            .nest(samples);
    return last == null ? tuple : tuple.nest(last);
  }

  static KeySketch parse(Tuple tuple, Size size) {
    KeySketch sketch = new KeySketch(tuple.getInt(0), size);
    sketch.run = tuple.getDouble(1);
    sketch.rows = tuple.getDouble(2);
    sketch.read = tuple.getLong(3);
    sketch.bytes = tuple.getLong(4);
    sketch.gap = tuple.getDouble(5);
    sketch.histogram = HistogramSketch.parse(tuple.getTuple(6));
    for (int i = 0; i < sketch.width; i++) {
      sketch.prefixes.set(i, PrefixSketch.parse(tuple.getTuple(7).getTuple(i), size.common()));
      sketch.columns.set(i, ColumnSample.parse(tuple.getTuple(8).getTuple(i)));
    }
    sketch.last = tuple.size() > 9 ? tuple.getTuple(9) : null;
    return sketch;
  }
}
