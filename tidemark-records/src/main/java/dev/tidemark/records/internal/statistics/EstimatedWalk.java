package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.Optional;

/**
 * Reads some rows of every piece, from somewhere near its begin: cuts are often where a value
 * begins, and all stretches would begin there too. The rest of a piece is a gap. How many rows it
 * has follows from the size that the store estimates, measured against pieces all over that were
 * counted. For what is too large to be counted.
 */
final class EstimatedWalk implements Walk {
  private static final int MEASURED = 64;

  /** Pieces that are measured together: sizes are estimated in steps. */
  private static final int MEASURED_PIECES = 2;

  /** So many rows of one measure tell enough, however large pieces are. */
  private static final int MEASURED_ROWS = 20_000;

  /** So many rows of a piece are always worth the way to it. */
  private static final int ROWS_MIN = 32;

  private static final int OFFSET_MAX = 500;

  private final Database database;
  private final SampledRows rows;
  private final Pieces pieces;
  private final Density density;
  private final double rate;

  /**
   * Rows that are estimated to be in pieces already passed and were neither read nor skipped;
   * negative if more were. A store knows sizes in steps that can be larger than a piece, so only
   * their sum is right.
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

  /**
   * Counts rows of one more of {@code pieces}, to know how many a byte has. Empty if enough were
   * counted.
   */
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
