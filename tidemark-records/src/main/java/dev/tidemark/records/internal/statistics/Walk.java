package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;

/** A way over all rows in the order of their keys, which reads some of them or all. */
interface Walk {
  /** Reads on from {@code from} into {@code sketch}, and answers where to go on. */
  Key step(KeySketch sketch, Key from);

  /** What the next walk has to know if it goes on here, beside the place: see {@link Draft}. */
  default double owed() {
    return 0;
  }

  /** Multiples of it, without what is before the point, are spread evenly. */
  double GOLDEN = 0.618_033_988_749_895;

  /** The {@code number}-th of many numbers from 0 to 1 that no rhythm of the rows agrees with. */
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
