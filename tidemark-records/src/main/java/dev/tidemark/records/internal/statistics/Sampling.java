package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.StatisticsOptions;
import dev.tidemark.records.StatisticsProgress;
import dev.tidemark.records.internal.Space;
import dev.tidemark.records.internal.StoreKeys.StatisticsKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/*
 * The keys are cut into pieces of about the same size, and of each some rows are read, from somewhere near its begin:
 * cuts are often where a value begins, and all stretches would begin there too. The rest of a piece is a gap: how many rows it has follows from the size that the store estimates, measured against some pieces that were
 * counted. All of it is one walk in the order of the keys, so that a place in it is all that a later process needs
 * to go on, beside what has been seen so far.
 */

/** Finds statistics of one type or index. */
final class Sampling {
  private static final int PIECES = 1_024;
  private static final long PIECE_BYTES_MIN = 8 << 10;
  private static final long SAMPLE_BYTES = 16 << 20;
  private static final int MEASURED = 16;

  /** Pieces that are measured together: sizes are estimated in steps. */
  private static final int MEASURED_PIECES = 4;

  /** So many rows of a piece are always worth the way to it. */
  private static final int ROWS_MIN = 32;

  private static final int OFFSET_MAX = 500;

  /** Multiples of it, without what is before the point, are spread evenly. */
  private static final double GOLDEN = 0.618_033_988_749_895;

  /** Rows of one transaction that are kept until it has ended. */
  private static final int ROWS_MAX = 20_000;

  private static final int BYTES_MAX = 4 << 20;

  private final Database database;
  private final Target target;
  private final StatisticsOptions options;
  private final Place place;
  private final StatisticsKeys keys;

  /**
   * Rows that are estimated to be in pieces already passed and were neither read nor skipped;
   * negative if more were. A store knows sizes in steps that can be larger than a piece, so only
   * their sum is right.
   */
  private double owed;

  /**
   * Which of several this is.
   *
   * @param done how many come before it
   * @param total how many there are
   */
  record Place(int done, int total) {}

  /**
   * A row as it is needed here.
   *
   * @param columns its columns
   * @param bytes its size
   * @param whole false for a piece of the record before it
   */
  private record Row(Tuple columns, int bytes, boolean whole) {}

  /** Rows of one transaction, and where it ended. */
  private record Stretch(List<Row> rows, Key next, boolean complete) {}

  Sampling(Space space, Target target, StatisticsOptions options, Place place) {
    this.database = space.database();
    this.target = target;
    this.options = options;
    this.place = place;
    this.keys = space.keys().statistics(target.id());
  }

  KeyStatistics run() {
    KeyRange all = target.rows();
    long bytes = database.estimatedSize(all);
    List<Key> cuts = database.splitPoints(all, Math.max(bytes / PIECES, PIECE_BYTES_MIN));
    double rate = rate(bytes);
    Draft draft =
        database.read(tx -> Draft.read(tx, keys, size())).orElseGet(() -> begin(cuts, rate));
    long stored = draft.sketch().read();
    for (int i = 0; i + 1 < cuts.size(); i++) {
      Key from = max(cuts.get(i), draft.next());
      Key to = cuts.get(i + 1);
      if (from.compareTo(to) < 0) {
        read(draft, KeyRange.of(from, to), rate, new Place(i, cuts.size() - 1));
        draft = draft.at(to);
        show(draft, i + 1, cuts.size() - 1);
      }
      if (draft.sketch().read() - stored >= options.rowsPerCheckpoint()) {
        stored = draft.sketch().read();
        Draft reached = draft;
        database.run(tx -> reached.write(tx, keys));
      }
    }
    KeyStatistics.Origin origin =
        new KeyStatistics.Origin(
            database.<Long, RuntimeException>read(ReadTransaction::readVersion),
            database.time().wallMicros(),
            bytes);
    return draft.sketch().finish(origin);
  }

  private KeySketch.Size size() {
    return new KeySketch.Size(options.buckets(), options.commonValues());
  }

  private static Key max(Key one, Key other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private double rate(long bytes) {
    double asked = options.sampleRate();
    return asked > 0 ? asked : Math.min(1, (double) SAMPLE_BYTES / Math.max(1, bytes));
  }

  private void show(Draft draft, int pieces, int all) {
    options
        .listener()
        .accept(
            new StatisticsProgress(
                target.name(),
                place.done(),
                place.total(),
                draft.sketch().read(),
                (double) pieces / all));
  }

  /** Nothing has been seen; if gaps will be left, some pieces are counted to know their size. */
  private Draft begin(List<Key> cuts, double rate) {
    return new Draft(
        new KeySketch(target.columns().size(), size()),
        cuts.getFirst(),
        rate >= 1 ? Density.UNKNOWN : density(cuts));
  }

  private Density density(List<Key> cuts) {
    List<Density.Measure> measures = new ArrayList<>();
    int pieces = cuts.size() - 1;
    int step = Math.max(MEASURED_PIECES, pieces / MEASURED);
    for (int from = 0; from < pieces; from += step) {
      int to = Math.min(pieces, from + MEASURED_PIECES);
      KeyRange range = KeyRange.of(cuts.get(from), cuts.get(to));
      measures.add(new Density.Measure(count(range), database.estimatedSize(range)));
    }
    return Density.of(measures);
  }

  private long count(KeyRange range) {
    long rows = 0;
    boolean complete = false;
    for (Key from = range.begin(); !complete; ) {
      Stretch stretch = stretch(from, range.end(), Long.MAX_VALUE);
      rows += stretch.rows().stream().filter(Row::whole).count();
      from = stretch.next();
      complete = stretch.complete();
    }
    return rows;
  }

  /** Reads some rows of {@code piece}, of the first piece the first, of the last also the last. */
  private void read(Draft draft, KeyRange piece, double rate, Place at) {
    KeySketch sketch = draft.sketch();
    if (rate >= 1) {
      read(sketch, piece, Long.MAX_VALUE);
      return;
    }
    double part = (double) at.done() / at.total();
    double rows = database.estimatedSize(piece) * draft.density().rowsPerByte(part);
    long enough = Math.max(ROWS_MIN, (long) (rows * rate));
    double turn = at.done() * GOLDEN % 1;
    int wanted = (int) (turn * Math.clamp(rows - enough, 0, OFFSET_MAX));
    Key begin = wanted == 0 ? piece.begin() : jump(piece, wanted);
    int skipped = begin.equals(piece.begin()) ? 0 : wanted;
    sketch.skip(skipped);
    owed += rows - skipped;
    long before = sketch.read();
    long read = read(sketch, KeyRange.of(begin, piece.end()), enough);
    owed -= sketch.read() - before;
    if (read >= 0) {
      sketch.skip(Math.max(0, owed));
      owed = Math.min(0, owed);
      if (at.done() + 1 == at.total()) {
        lastRow(piece).filter(Row::whole).ifPresent(row -> add(sketch, row));
      }
    }
  }

  private Key jump(KeyRange piece, int rows) {
    KeySelector selector = KeySelector.firstGreaterOrEqual(piece.begin()).add(rows);
    Key found = database.read(tx -> tx.snapshot().getKey(selector));
    return piece.contains(found) ? found : piece.begin();
  }

  private Optional<Row> lastRow(KeyRange piece) {
    return database
        .<Optional<KeyValue>, RuntimeException>read(
            tx -> tx.snapshot().scan(piece).reverse().first())
        .map(this::row);
  }

  /** Answers how many rows were read before there were enough, or -1 if all of them were. */
  private long read(KeySketch sketch, KeyRange piece, long enough) {
    long read = 0;
    boolean complete = false;
    for (Key begin = piece.begin(); !complete; ) {
      if (read >= enough) {
        return read;
      }
      Stretch stretch = stretch(begin, piece.end(), enough - read);
      stretch.rows().forEach(row -> add(sketch, row));
      read += stretch.rows().size();
      begin = stretch.next();
      complete = stretch.complete();
    }
    return -1;
  }

  private static void add(KeySketch sketch, Row row) {
    if (row.whole()) {
      sketch.row(row.columns(), row.bytes());
    } else {
      sketch.more(row.bytes());
    }
  }

  private Stretch stretch(Key from, Key to, long rowsMax) {
    int most = (int) Math.min(rowsMax, ROWS_MAX);
    return database.read(tx -> stretch(tx.snapshot(), from, to, most));
  }

  private Stretch stretch(ReadTransaction tx, Key from, Key to, int rowsMax) {
    long end = database.time().nanos() + options.timePerTransaction().toNanos();
    List<Row> rows = new ArrayList<>();
    int bytes = 0;
    for (KeyValue stored : tx.scan(KeyRange.of(from, to)).limit(rowsMax)) {
      Row row = row(stored);
      bytes += row.bytes();
      rows.add(row);
      boolean enough =
          rows.size() >= rowsMax || bytes >= BYTES_MAX || database.time().nanos() - end >= 0;
      if (enough) {
        return new Stretch(rows, stored.key().next(), false);
      }
    }
    return new Stretch(rows, to, true);
  }

  private Row row(KeyValue stored) {
    Tuple whole = target.space().unpack(stored.key());
    int width = target.columns().size();
    boolean isWhole = !target.records() || whole.getLong(width) == 0;
    return new Row(whole.subTuple(0, width), stored.key().size() + stored.value().length, isWhole);
  }
}
