package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.tuple.Tuple;
import java.util.List;

/**
 * Counts the distinct values of the first columns of keys that come in order, and finds the common
 * ones. There may be gaps between the stretches that are read.
 *
 * <p>Because keys are in order, every value is one run of rows. The ends of a gap tell what it
 * hides: if they are equal, so are all rows between. If they differ, the number of values is
 * estimated from the fraction of nearby gaps whose ends differ or, if nearly all differ, from how
 * often the value changes in the rows read nearby.
 */
final class PrefixSketch {
  private static final int WINDOW = 16;
  private static final double MOSTLY_DIFFERENT = 0.7;

  private final CommonValues common;

  /** Values whose begin was read, and those estimated to begin in gaps. */
  private double distinct;

  /** Rows of the value that is read now, without those in the gap before it. */
  private double run;

  /** The gap in which that value begins; 0 if it begins in what was read. */
  private double gapBefore;

  /** How long values are before that gap. */
  private double lengthBefore;

  // What was read since the last gap.
  private double stretchRows;
  private double stretchRuns;

  // The gaps of the window.
  private int gaps;
  private int differing;
  private double gapRows;
  private double windowRows;
  private double windowChanges;

  PrefixSketch(int commonMax) {
    this.common = new CommonValues(commonMax);
  }

  /** One more row; {@code before} is the value of the row before, if this one has another. */
  void row(boolean changed, Tuple before) {
    if (changed) {
      end(before, 0);
      windowChanges++;
    }
    run++;
    stretchRows++;
    windowRows++;
  }

  /**
   * Ends the current value, in a stretch or in a gap of {@code gapBehind} rows. The value extends
   * into the gaps around it by its length or, if that is more, by the length of nearby values, but
   * at most by half of a gap.
   */
  private void end(Tuple value, double gapBehind) {
    double length = Math.max(run, Math.max(lengthBefore, gapBehind > 0 ? length() : 0));
    double rows = run + Math.min((gapBefore + gapBehind) / 2, length);
    if (rows > 0) {
      common.add(value, rows);
    }
    run = 0;
    gapBefore = 0;
    lengthBefore = 0;
    distinct++;
    stretchRuns++;
  }

  /** The average length of values since the last gap. */
  private double length() {
    return stretchRows / (stretchRuns + 1);
  }

  /**
   * Skips {@code rows} rows after the last one, whose value was {@code before}.
   *
   * @param changed whether it has another value
   */
  void gap(double rows, boolean changed, Tuple before) {
    gaps++;
    gapRows += rows;
    if (changed) {
      double length = length();
      end(before, rows);
      gapBefore = rows;
      lengthBefore = length;
      differing++;
      distinct--;
    } else {
      run += rows;
    }
    stretchRows = 0;
    stretchRuns = 0;
    if (gaps == WINDOW) {
      closeWindow();
    }
  }

  private void closeWindow() {
    double share = gaps == 0 ? 0 : (double) differing / gaps;
    double changes =
        share < MOSTLY_DIFFERENT
            ? -Math.log(1 - share) * gaps
            : (gapRows + gaps) * windowChanges / Math.max(1, windowRows - gaps);
    distinct += Math.max(differing, changes);
    gaps = 0;
    differing = 0;
    gapRows = 0;
    windowRows = 0;
    windowChanges = 0;
  }

  /** Completes the sketch with {@code last}, the value of the last row. */
  void finish(Tuple last) {
    end(last, 0);
    closeWindow();
  }

  double distinct() {
    return distinct;
  }

  /** The most common first, with how many rows they have. */
  List<CommonValues.Common> common() {
    return common.list();
  }

  Tuple toTuple() {
    return Tuple.of(
            distinct, run, gapBefore, lengthBefore, stretchRows, stretchRuns, gaps, differing)
        .append(gapRows)
        .append(windowRows)
        .append(windowChanges)
        .nest(CommonValues.toTuple(common.list()));
  }

  static PrefixSketch parse(Tuple tuple, int commonMax) {
    PrefixSketch sketch = new PrefixSketch(commonMax);
    sketch.distinct = tuple.getDouble(0);
    sketch.run = tuple.getDouble(1);
    sketch.gapBefore = tuple.getDouble(2);
    sketch.lengthBefore = tuple.getDouble(3);
    sketch.stretchRows = tuple.getDouble(4);
    sketch.stretchRuns = tuple.getDouble(5);
    sketch.gaps = tuple.getInt(6);
    sketch.differing = tuple.getInt(7);
    sketch.gapRows = tuple.getDouble(8);
    sketch.windowRows = tuple.getDouble(9);
    sketch.windowChanges = tuple.getDouble(10);
    CommonValues.parse(tuple.getTuple(11))
        .forEach(value -> sketch.common.add(value.value(), value.count()));
    return sketch;
  }
}
