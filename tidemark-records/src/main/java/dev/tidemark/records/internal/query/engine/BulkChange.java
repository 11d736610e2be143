package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.plan.RankedPlans;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Why no record is changed twice
 *
 * A batch first collects its records and then changes them, so it does not meet its own changes. The next one
 * goes on behind the last record. What a delete took away cannot come back. An update may move a record
 * anywhere in an index; so it only goes by plans that read in the order of primary keys and have one place for
 * each primary key: whatever an update does to a record but for its key, its place is where it was, and that
 * lies behind.
 */

/** Changes the records of a query in batches. */
final class BulkChange<R> {
  /** The limit of a batch, which must fit into memory and into a transaction. */
  private static final QueryLimits SOME_BYTES = QueryLimits.NONE.withScannedBytes(8L << 20);

  private final Database database;
  private final Found<R> found;
  private final Changer<R> changer;
  private final BulkOptions options;
  private final QueryLimits limits;
  private int rows;
  private @Nullable BulkProgress done;

  /** Opens a cursor over the records to change. */
  @FunctionalInterface
  interface Found<R> {
    Cursor<R> open(Transaction tx, QueryLimits limits, @Nullable Continuation from);
  }

  /** Changes one record. */
  @FunctionalInterface
  interface Changer<R> {
    /** Changes {@code record}, and returns whether there was something to change. */
    boolean change(Transaction tx, R record);
  }

  /** {@code query}, which has no order, in the order of primary keys. */
  static QuerySpec inOrderOfKeys(TypeSpec type, QuerySpec query) {
    if (!query.order().isEmpty() || query.limit().isPresent() || query.offset() > 0) {
      throw new IllegalArgumentException(
          "An update by query goes through all its records in the order of their primary keys;"
              + " it takes no order, limit or offset");
    }
    return query.orderedBy(
        type.primaryKey().stream()
            .map(field -> new Ordering(ColumnSpec.of(field), false, true))
            .toList());
  }

  /** The best plan that has one place for each primary key, in their order. */
  static Candidate onePlaceForEachKey(RankedPlans planned) {
    return planned.candidates().stream()
        .filter(candidate -> hasOnePlaceForEachKey(candidate.plan()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The index that the query insists on does not lead to records in the order of"
                        + " their primary keys, as an update needs it"));
  }

  private static boolean hasOnePlaceForEachKey(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> true;
      case Plan.Read read ->
          read.mergedBy().isEmpty()
              && (read.access().index().isEmpty()
                  || read.access().leading().stream().allMatch(BulkChange::isFixed));
      case Plan.Intersection intersection -> true;
      case Plan.Union union -> false;
      case Plan.Sorted sorted -> false;
    };
  }

  private static boolean isFixed(Access.Leading leading) {
    return switch (leading) {
      case Access.Leading.Equal equal -> true;
      case Access.Leading.Null isNull -> true;
      case Access.Leading.EachOf eachOf -> false;
      case Access.Leading.Any any -> false;
    };
  }

  /** The limits of a batch of {@code query}; a sorted query has to read all rows. */
  static QueryLimits limits(QuerySpec query) {
    return query.order().isEmpty() ? SOME_BYTES : QueryLimits.NONE;
  }

  BulkChange(
      Database database,
      Found<R> found,
      Changer<R> changer,
      QueryLimits limits,
      BulkOptions options) {
    this.database = database;
    this.limits = limits;
    this.found = found;
    this.changer = changer;
    this.options = options;
    this.rows = options.rowsPerTransaction();
  }

  /** Changes all records, and returns what was done. */
  BulkProgress run(long foundBefore, long changedBefore) {
    Continuation from = options.from().orElse(null);
    BulkProgress progress = next(foundBefore, changedBefore, from);
    while (!progress.done()) {
      progress = next(progress.found(), progress.changed(), progress.continuation());
    }
    return progress;
  }

  /** The committed progress; empty before the first batch. */
  Optional<BulkProgress> progress() {
    return Optional.ofNullable(done);
  }

  /** Runs one batch, with fewer records if it is too large or too slow for a transaction. */
  private BulkProgress next(long foundBefore, long changedBefore, @Nullable Continuation from) {
    while (true) {
      int size = rows;
      try {
        BulkProgress progress =
            database.transact(tx -> batch(tx, size, foundBefore, changedBefore, from));
        rows = Math.min(options.rowsPerTransaction(), rows + Math.max(1, rows / 4));
        done = progress;
        options.afterCommit().accept(progress);
        return progress;
      } catch (LimitExceededException | TransactionTooOldException tooMuch) {
        if (size == 1) {
          throw tooMuch;
        }
        rows = size / 2;
      }
    }
  }

  private BulkProgress batch(
      Transaction tx, int size, long foundBefore, long changedBefore, @Nullable Continuation from) {
    List<R> records = new ArrayList<>();
    Cursor<R> cursor =
        found.open(tx, limits.withRows(size).withTime(options.timePerTransaction()), from);
    cursor.forEachRemaining(records::add);
    long changed = changedBefore;
    for (R record : records) {
      changed += changer.change(tx, record) ? 1 : 0;
    }
    BulkProgress progress =
        new BulkProgress(
            foundBefore + records.size(),
            changed,
            cursor.stopReason() == StopReason.EXHAUSTED,
            cursor.continuation());
    options.inTransaction().accept(tx, progress);
    return progress;
  }
}
