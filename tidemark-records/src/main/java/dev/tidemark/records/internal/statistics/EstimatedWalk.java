package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.Optional;

/**
 * Reads some rows of every piece, at a varying offset near its begin: a cut is often where a value
 * begins, and all stretches would begin there too. The rest of a piece is a gap. Its number of rows
 * follows from the size that the store estimates, calibrated by pieces that were counted. For sizes
 * that are too large to be counted.
 */
final class EstimatedWalk implements Walk {
  private static final int MEASURED = 64;

  /** The number of pieces that are measured together, because sizes are estimated in steps. */
  private static final int MEASURED_PIECES = 2;

  /** The largest number of rows of one measurement. */
  private static final int MEASURED_ROWS = 20_000;

  /** The smallest number of rows that are read of a piece. */
  private static final int ROWS_MIN = 32;

  private static final int OFFSET_MAX = 500;

  private final Database database;
  private final SampledRows rows;
  private final Pieces pieces;
  private final Density density;
  private final double rate;

  /**
   * The estimated number of rows of passed pieces that were neither read nor skipped; negative if
   * more were. Sizes are known in steps that can be larger than a piece, so only their sum is
   * right.
   */
  private double owed;

  EstimatedWalk(Database database, SampledRows rows, Pieces pieces, Draft begin, double rate) {
    this.database = database;
    this.rows = rows;
    this.pieces = pieces;
    this.density = begin.density();
    this.owed = begin.owed();
    this.rate = rate;
  }

  /** Measures one more of {@code pieces}. Empty if enough were measured. */
  static Optional<Density> measure(
      Database database, SampledRows rows, Pieces pieces, Density before) {
    int step = Math.max(MEASURED_PIECES, pieces.count() / MEASURED);
    int from = before.measures().size() * step;
    if (from >= pieces.count()) {
      return Optional.empty();
    }
    KeyRange part = pieces.between(from, Math.min(pieces.count(), from + MEASURED_PIECES));
    SampledRows.Counted counted = rows.count(part, MEASURED_ROWS);
    long bytes = database.estimatedSize(counted.range());
    return Optional.of(before.and(new Density.Measure(counted.rows(), bytes)));
  }

  @Override
  public double owed() {
    return owed;
  }

  /** Reads some rows of a piece: of the first one the first, of the last one also the last. */
  @Override
  public Key step(KeySketch sketch, Key from) {
    KeyRange piece = pieces.from(from);
    int number = pieces.before(from);
    double expected =
        database.estimatedSize(piece) * density.rowsPerByte((double) number / pieces.count());
    long enough = Math.max(ROWS_MIN, (long) (expected * rate));
    long wanted =
        (long) (Walk.turn(number) * Math.clamp(expected - (double) enough, 0, OFFSET_MAX));
    Optional<Key> jumped = rows.jump(piece, wanted);
    long skipped = jumped.isPresent() ? wanted : 0;
    sketch.skip((double) skipped);
    owed += expected - skipped;
    long before = sketch.read();
    Key reached = rows.read(sketch, KeyRange.of(jumped.orElse(from), piece.end()), enough);
    owed -= sketch.read() - before;
    if (reached.compareTo(piece.end()) < 0) {
      sketch.skip(Math.max(0, owed));
      owed = Math.min(0, owed);
      if (piece.end().equals(pieces.end())) {
        rows.last(piece).filter(SampledRows.Row::whole).ifPresent(row -> row.addTo(sketch));
      }
    }
    return piece.end();
  }
}
