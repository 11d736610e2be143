package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.keys.StoreKeys.StatisticsKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.StatisticsOptions;
import dev.tidemark.records.maintenance.StatisticsProgress;
import java.util.Optional;

/*
 * All of it is one walk in the order of the keys, so that a place in it is all that a later process needs to go on,
 * beside what has been seen so far. What is small is read whole; what is larger is read in part and counted; and
 * what is too large even for that is measured by the size that the store estimates.
 */

/** Collects the statistics of one type or index. */
final class Sampling {
  private static final int PIECES = 1_024;
  private static final long PIECE_BYTES_MIN = 8 << 10;
  private static final long SAMPLE_BYTES = 16 << 20;

  private final Database database;
  private final Space space;
  private final Target target;
  private final StatisticsOptions options;
  private final Place place;
  private final StatisticsKeys keys;
  private final SampledRows rows;

  /**
   * The position of this type or index in the collection, and how it is read.
   *
   * @param done the number of types and indexes before it
   * @param total the number of types and indexes
   * @param countedBytes the size above which rows are estimated and not counted
   */
  record Place(int done, int total, long countedBytes) {}

  Sampling(Space space, Target target, StatisticsOptions options, Place place) {
    this.database = space.database();
    this.space = space;
    this.target = target;
    this.options = options;
    this.place = place;
    this.keys = space.keys().statistics(target.id());
    this.rows = new SampledRows(database, target, options);
  }

  KeyStatistics run() {
    KeyRange all = target.rows();
    long bytes = database.estimatedSize(all);
    Pieces pieces =
        new Pieces(database.splitPoints(all, Math.max(bytes / PIECES, PIECE_BYTES_MIN)));
    double rate = rate(bytes);
    Draft draft = database.read(tx -> Draft.read(tx, keys, size())).orElseGet(() -> begin(pieces));
    boolean measured = rate < 1 && bytes > place.countedBytes();
    if (draft.next().equals(pieces.begin())) {
      draft = measured ? measure(draft, pieces) : draft.with(Density.UNKNOWN);
    }
    KeySketch sketch = walk(draft, pieces, rate);
    KeyStatistics.Origin origin =
        new KeyStatistics.Origin(
            database.<Long, RuntimeException>read(ReadTransaction::readVersion),
            database.time().wallMicros(),
            bytes);
    return sketch.finish(origin);
  }

  private Draft begin(Pieces pieces) {
    return new Draft(
        new KeySketch(target.columns().size(), size()), pieces.begin(), Density.UNKNOWN, 0);
  }

  /** Measures the pieces that earlier collections have not measured. */
  private Draft measure(Draft begin, Pieces pieces) {
    Draft draft = begin;
    Optional<Density> more = EstimatedWalk.measure(database, rows, pieces, draft.density());
    while (more.isPresent()) {
      draft = draft.with(more.get());
      show(draft, pieces);
      more = EstimatedWalk.measure(database, rows, pieces, draft.density());
    }
    store(draft);
    return draft;
  }

  private KeySketch walk(Draft begin, Pieces pieces, double rate) {
    Walk walk = way(begin, pieces, rate);
    Draft draft = begin;
    long stored = draft.sketch().read();
    while (draft.next().compareTo(pieces.end()) < 0) {
      int before = pieces.before(draft.next());
      Key next = walk.step(draft.sketch(), draft.next());
      draft = draft.at(next, walk.owed());
      if (pieces.before(draft.next()) > before) {
        show(draft, pieces);
      }
      if (draft.sketch().read() - stored >= options.rowsPerCheckpoint()) {
        stored = draft.sketch().read();
        store(draft);
      }
    }
    return draft.sketch();
  }

  private void store(Draft draft) {
    database.run(
        tx -> {
          draft.write(tx, keys);
          StatisticsRun.renew(space, tx);
        });
  }

  private Walk way(Draft begin, Pieces pieces, double rate) {
    if (rate >= 1) {
      return new Walk.Whole(rows, pieces);
    }
    return begin.density().isKnown()
        ? new EstimatedWalk(database, rows, pieces, begin, rate)
        : new CountedWalk(rows, pieces.end(), rate);
  }

  private KeySketch.Size size() {
    return new KeySketch.Size(options.buckets(), options.commonValues());
  }

  private double rate(long bytes) {
    return options
        .sampleRate()
        .orElseGet(() -> Math.min(1, (double) SAMPLE_BYTES / Math.max(1, bytes)));
  }

  /**
   * Reports the progress. If the listener throws, the collection ends after the draft is stored.
   */
  private void show(Draft draft, Pieces pieces) {
    StatisticsProgress progress =
        new StatisticsProgress(
            target.name(),
            place.done(),
            place.total(),
            draft.sketch().read(),
            (double) pieces.before(draft.next()) / pieces.count());
    try {
      options.listener().accept(progress);
    } catch (RuntimeException | Error end) {
      try {
        store(draft);
      } catch (RuntimeException notStored) {
        end.addSuppressed(notStored);
      }
      throw end;
    }
  }
}
