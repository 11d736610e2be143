package dev.tidemark.records.internal.build;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordTooLargeException;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRow;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.internal.work.Allowance;
import dev.tidemark.records.maintenance.UnfitRecord;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * One transaction finds what is missing, adds it and records the range as done. So a batch that is repeated after
 * an unknown commit result does nothing.
 *
 * Records are read as a snapshot and the conflicts are added by hand. For an index that counts, all of
 * the range that the batch passes is among them, gaps between records included: whoever saved or deleted
 * a record there has left the counting to the builder, which has not seen it. For indexes that take an
 * entry twice without harm writers write always, so only the records that were indexed are: one that
 * changed meanwhile would leave an entry that nobody removes.
 */

/** One transaction of a build: adds some records to the indexes that lack them. */
public final class BuildBatch {
  private final Space space;
  private final RecordType<?> type;
  private final StoredRecords<?> stored;
  private final Function<SpaceState, List<Maintainer>> targets;

  /**
   * @param targets those indexes of the type that are being built, in the state a transaction finds
   */
  public BuildBatch(
      Space space, RecordType<?> type, Function<SpaceState, List<Maintainer>> targets) {
    this.space = space;
    this.type = type;
    this.stored = new StoredRecords<>(space, type);
    this.targets = targets;
  }

  /** Signals a record that an index cannot hold; the batch must not be committed. */
  public static final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient UnfitRecord record;

    private Unfit(UnfitRecord record) {
      super(record.reason(), null, false, false);
      this.record = record;
    }

    public UnfitRecord record() {
      return record;
    }
  }

  /** The outcome of a batch. */
  public enum Outcome {
    /** Some records were added; there may be more. */
    WENT_ON,
    /** The part was not missing as a whole, as the caller required. */
    IN_PIECES,
    /** Nothing is missing. */
    COMPLETE
  }

  /**
   * The result of a batch, valid if it commits.
   *
   * @param outcome its outcome
   * @param records the number of its records
   * @param indexed the number of them with an entry
   * @param bytes their size
   * @param scanned the number of scanned records of the slowest index, including these
   * @param last the last primary key of the batch
   */
  public record Result(
      Outcome outcome, long records, long indexed, long bytes, long scanned, @Nullable Key last) {
    private static Result nothing(Outcome outcome) {
      return new Result(outcome, 0, 0, 0, 0, null);
    }
  }

  /**
   * Adds what is missing in {@code part}, within {@code allowance}.
   *
   * @param wholeOnly whether to skip a part that another build has begun
   */
  public Result run(Transaction tx, KeyRange part, boolean wholeOnly, Allowance allowance) {
    SpaceState state = space.ownState(tx);
    Gap gap = Gap.first(tx, targets.apply(state), part).orElse(null);
    if (gap == null) {
      return Result.nothing(Outcome.COMPLETE);
    }
    if (wholeOnly && !gap.range().equals(part)) {
      return Result.nothing(Outcome.IN_PIECES);
    }
    return fill(tx, state.type(type.name()).keys(), gap, allowance);
  }

  private Result fill(Transaction tx, TypeKeys keys, Gap gap, Allowance allowance) {
    StoredRows<?> rows =
        new StoredRows<>(tx.snapshot(), keys, stored, keys.records(gap.range()), false);
    boolean idempotent = gap.isIdempotent();
    long indexed = 0;
    long bytes = 0;
    StoredRow<?> last = null;
    while (!allowance.isSpent() && hasNext(rows)) {
      last = rows.next();
      if (idempotent) {
        tx.addReadConflict(last.key().main());
      }
      indexed += build(tx, gap.indexes(), last) ? 1 : 0;
      bytes += last.bytes();
      allowance.spend();
    }
    Key end =
        last == null || !allowance.isSpent()
            ? gap.range().end()
            : IndexWriter.progressBehind(last.primaryKey());
    KeyRange done = KeyRange.of(gap.range().begin(), end);
    if (!idempotent) {
      tx.addReadConflict(keys.records(done));
    }
    int records = allowance.spentRecords();
    long scanned = Long.MAX_VALUE;
    for (Maintainer index : gap.indexes()) {
      scanned = Math.min(scanned, note(tx, index, done, records, indexed));
    }
    return new Result(
        Outcome.WENT_ON,
        records,
        indexed,
        bytes,
        scanned,
        last == null ? null : IndexWriter.progressKey(last.primaryKey()));
  }

  private boolean hasNext(StoredRows<?> rows) {
    try {
      return rows.hasNext();
    } catch (RefusedRecordException refused) {
      throw unfit(refused.primaryKey(), refused);
    }
  }

  private boolean build(Transaction tx, List<Maintainer> indexes, StoredRow<?> row) {
    boolean any = false;
    for (Maintainer index : indexes) {
      try {
        any |= index.build(tx, row.key(), row.record(), row.primaryKey());
      } catch (RecordTooLargeException unfit) {
        throw unfit(row.primaryKey(), unfit);
      }
    }
    return any;
  }

  private Unfit unfit(Tuple primaryKey, RuntimeException why) {
    return new Unfit(new UnfitRecord(type.name(), primaryKey, String.valueOf(why.getMessage())));
  }

  /** Records the progress of {@code index}, and returns its number of scanned records. */
  private static long note(
      Transaction tx, Maintainer index, KeyRange done, long records, long indexed) {
    Key counter = index.keys().scanned();
    long before = tx.snapshot().get(counter).map(LittleEndian::number).orElse(0L);
    index.keys().built().insert(tx, done);
    tx.mutate(MutationType.ADD, counter, LittleEndian.bytes(records));
    tx.mutate(MutationType.ADD, index.keys().indexed(), LittleEndian.bytes(indexed));
    return before + records;
  }
}
