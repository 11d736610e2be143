package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.maintenance.StatisticsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Reads rows of one type or index in short transactions without conflicts. */
final class SampledRows {
  /** The largest number of rows of one transaction. */
  private static final int ROWS_MAX = 20_000;

  private static final int BYTES_MAX = 4 << 20;

  /** The largest number of keys that one transaction jumps over. */
  private static final int JUMP_MAX = 1_000;

  private final Database database;
  private final Target target;
  private final StatisticsOptions options;

  /**
   * A row of a sample.
   *
   * @param columns its columns
   * @param bytes its size
   * @param whole false for a piece of the record before it
   */
  record Row(Tuple columns, int bytes, boolean whole) {
    void addTo(KeySketch sketch) {
      if (whole) {
        sketch.row(columns, bytes);
      } else {
        sketch.more(bytes);
      }
    }
  }

  /**
   * Rows of one transaction.
   *
   * @param rows in the order of their keys
   * @param next where it ended
   * @param complete whether there are no more
   */
  record Stretch(List<Row> rows, Key next, boolean complete) {}

  /**
   * How many records or entries there are.
   *
   * @param range where they were counted
   * @param rows how many there are
   */
  record Counted(KeyRange range, long rows) {}

  SampledRows(Database database, Target target, StatisticsOptions options) {
    this.database = database;
    this.target = target;
    this.options = options;
  }

  /** Counts records or entries from the first of {@code range} on, in about {@code keys} keys. */
  Counted count(KeyRange range, long keys) {
    long rows = 0;
    Key at = range.begin();
    boolean complete = false;
    for (long left = keys; left > 0 && !complete; ) {
      Stretch stretch = stretch(KeyRange.of(at, range.end()), left);
      rows += stretch.rows().stream().filter(Row::whole).count();
      left -= stretch.rows().size();
      at = stretch.next();
      complete = stretch.complete();
    }
    return new Counted(KeyRange.of(range.begin(), at), rows);
  }

  /** The key that is {@code keys} keys behind the first of {@code range}, if it is in the range. */
  Optional<Key> jump(KeyRange range, long keys) {
    Key at = range.begin();
    for (long left = keys; left > 0; left -= JUMP_MAX) {
      KeySelector selector =
          KeySelector.firstGreaterOrEqual(at).add((int) Math.min(left, JUMP_MAX));
      at = background().read(tx -> tx.snapshot().getKey(selector));
      if (!range.contains(at)) {
        return Optional.empty();
      }
    }
    return Optional.of(at);
  }

  Optional<Row> last(KeyRange range) {
    return background()
        .<Optional<KeyValue>, RuntimeException>read(
            tx -> tx.snapshot().scan(range).reverse().first())
        .map(this::row);
  }

  /** Adds the first {@code enough} rows of {@code range} and returns where it stopped. */
  Key read(KeySketch sketch, KeyRange range, long enough) {
    Key at = range.begin();
    boolean complete = false;
    for (long left = enough; left > 0 && !complete; ) {
      Stretch stretch = stretch(KeyRange.of(at, range.end()), left);
      stretch.rows().forEach(row -> row.addTo(sketch));
      left -= stretch.rows().size();
      at = stretch.next();
      complete = stretch.complete();
    }
    return at;
  }

  /** Reads with the low priority of background work. */
  private ReadContext background() {
    return database.with(options -> options.withPriority(TransactionOptions.Priority.BATCH));
  }

  private Stretch stretch(KeyRange range, long rowsMax) {
    int most = (int) Math.min(rowsMax, ROWS_MAX);
    return background().read(tx -> stretch(tx.snapshot(), range, most));
  }

  private Stretch stretch(ReadTransaction tx, KeyRange range, int rowsMax) {
    long end = database.time().nanos() + TimeUnit.NANOSECONDS.convert(options.timePerTransaction());
    List<Row> rows = new ArrayList<>();
    int bytes = 0;
    for (KeyValue stored : tx.scan(range).limit(rowsMax)) {
      Row row = row(stored);
      bytes += row.bytes();
      rows.add(row);
      boolean enough =
          rows.size() >= rowsMax || bytes >= BYTES_MAX || database.time().nanos() - end >= 0;
      if (enough) {
        return new Stretch(rows, stored.key().next(), false);
      }
    }
    return new Stretch(rows, range.end(), true);
  }

  private Row row(KeyValue stored) {
    Tuple whole = target.space().unpack(stored.key());
    int width = target.columns().size();
    boolean isWhole = !target.records() || whole.getLong(width) == 0;
    return new Row(whole.subTuple(0, width), stored.key().size() + stored.value().length, isWhole);
  }
}
