package dev.tidemark.records.internal.build;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.index.Entry;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.index.Maintainers;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRow;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds new indexes of types with few records in the transaction that opens the store. All builds
 * together stay far below the limits of a transaction, and an index that some record does not fit
 * stays disabled, so that the store opens in any case.
 */
public final class InlineBuild {
  private static final long WRITTEN_BYTES_MAX = 1_000_000;
  private static final long READ_BYTES_MAX = 8L << 20;
  private static final Duration TIME_MAX = Duration.ofSeconds(1);

  private final Space space;
  private final Transaction tx;
  private final TimeSource time;
  private final long writtenBytesMax;
  private final long endNanos;
  private final List<String> notes = new ArrayList<>();
  private long readBytes;

  private InlineBuild(Space space, Transaction tx, Duration timeMax) {
    this.space = space;
    this.tx = tx;
    this.time = space.database().time();
    this.writtenBytesMax =
        Math.min(WRITTEN_BYTES_MAX, space.database().limits().transactionBytes() / 10);
    this.endNanos = time.nanos() + timeMax.toNanos();
  }

  /** Builds the indexes of types with few records. */
  public static InlineBuild small(Space space, Transaction tx) {
    return new InlineBuild(space, tx, TIME_MAX);
  }

  /** Builds only the indexes of types without records. */
  public static InlineBuild empty(Space space, Transaction tx) {
    return new InlineBuild(space, tx, Duration.ZERO);
  }

  /**
   * Builds {@code index} and returns its state: readable if it was built, otherwise disabled,
   * because there are too many records or because some do not fit.
   */
  public IndexState run(Header header, IndexSpec index) {
    RecordType<?> type = space.schema().type(index.type()).orElseThrow();
    TypeKeys keys = space.keys().type(header.typeId(type.name()));
    Maintainer maintainer =
        Maintainers.of(space.keys(), space.database().limits(), header, type, index);
    try {
      if (build(type, keys, maintainer)) {
        return IndexState.READABLE;
      }
    } catch (RuntimeException failure) {
      if (failure instanceof DatabaseException && !(failure instanceof LimitExceededException)) {
        throw failure;
      }
      note(index, failure.toString());
    }
    maintainer.keys().clear(tx);
    return IndexState.DISABLED;
  }

  private <R> boolean build(RecordType<R> type, TypeKeys keys, Maintainer maintainer) {
    int max = space.options().inlineBuildMax();
    StoredRecords<R> stored = new StoredRecords<>(space, type);
    StoredRows<R> rows = new StoredRows<>(tx, keys, stored, keys.all(), false);
    List<StoredRow<R>> all = new ArrayList<>();
    while (rows.hasNext()) {
      if (all.size() == max || isSpent(maintainer.index())) {
        return false;
      }
      StoredRow<R> row = rows.next();
      readBytes += row.bytes();
      all.add(row);
    }
    for (StoredRow<R> row : all) {
      for (Entry entry : maintainer.entries(row.record(), row.primaryKey())) {
        if (isSpent(maintainer.index())) {
          return false;
        }
        maintainer.checkSize(entry, row.primaryKey());
        maintainer.check(tx, entry, row.primaryKey());
        maintainer.add(tx, entry, row.primaryKey());
      }
    }
    return true;
  }

  private boolean isSpent(IndexSpec index) {
    boolean spent =
        readBytes > READ_BYTES_MAX || tx.size() > writtenBytesMax || time.nanos() - endNanos >= 0;
    if (spent) {
      note(index, "that would take too much for the transaction that opens the store");
    }
    return spent;
  }

  private void note(IndexSpec index, String why) {
    notes.add(
        "The index '%s' was not built while the store was opened, and is disabled: %s. Build it with an OnlineIndexer"
            .formatted(index.name(), why));
  }

  /** Which indexes were not built though there are few records, and why. */
  public List<String> notes() {
    return List.copyOf(notes);
  }
}
