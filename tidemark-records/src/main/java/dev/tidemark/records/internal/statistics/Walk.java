package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;

/** A strategy of reading some or all rows in the order of their keys. */
interface Walk {
  /** Reads rows from {@code from} on into {@code sketch}, and returns where to resume. */
  Key step(KeySketch sketch, Key from);

  /** The state besides the place that another walk needs to resume here; see {@link Draft}. */
  default double owed() {
    return 0;
  }

  /** The golden ratio: the fractional parts of its multiples are evenly distributed. */
  double GOLDEN = 0.618_033_988_749_895;

  /** The {@code number}-th of an aperiodic sequence of numbers from 0 to 1. */
  static double turn(long number) {
    return number * GOLDEN % 1;
  }

  /** Reads every row, piece by piece. */
  record Whole(SampledRows rows, Pieces pieces) implements Walk {
    @Override
    public Key step(KeySketch sketch, Key from) {
      KeyRange piece = pieces.from(from);
      rows.read(sketch, piece, Long.MAX_VALUE);
      return piece.end();
    }
  }
}
