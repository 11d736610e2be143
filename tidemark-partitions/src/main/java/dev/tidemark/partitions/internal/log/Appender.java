package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.Effects;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.LogHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.time.Duration;
import java.util.List;

/**
 * Appends batches under the fence.
 *
 * <p>The row of the log's end is written by every append and is among the read conflicts of every
 * append, as the ownership row is. So an append that was lost on its way, and arrives after it was
 * repeated, meets a conflict: nothing is written twice, and the end never steps back. It also
 * tells, after an unknown result, whether the batch is there.
 *
 * <p>Where the last append was a short time ago, its version serves as the read version, and
 * nothing has to be read: had either row changed since, the commit would meet a conflict.
 */
final class Appender {
  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final int SETTLING_ATTEMPTS = 5;
  private static final int RETRIES = 20;

  private final Database database;
  private final TransactionContext checkedContext;
  private final PartitionKeys keys;
  private final Tenure tenure;
  private final LogRows rows;

  /** The version of the last append, or -1; one thread appends at a time. */
  private long lastVersion = -1;

  private long lastNanos;

  Appender(Database database, PartitionKeys keys, Tenure tenure) {
    this.database = database;
    this.checkedContext =
        database.with(o -> o.withIdempotency(Idempotency.OFF).withRetryLimit(RETRIES));
    this.keys = keys;
    this.tenure = tenure;
    this.rows = new LogRows(keys, tenure.partition());
  }

  void append(long firstLsn, List<Append> batch) throws AppendFailedException {
    append(firstLsn, batch, 0);
  }

  private void append(long firstLsn, List<Append> batch, int before) throws AppendFailedException {
    try {
      write(firstLsn, batch);
    } catch (EffectsException failure) {
      appendUntil(firstLsn, batch, before, failure);
    } catch (LimitExceededException tooLarge) {
      appendInHalves(firstLsn, batch, before, tooLarge);
    } catch (PartitionException failure) {
      throw AppendFailedException.after(before, failure);
    } catch (DatabaseException failure) {
      throw AppendFailedException.after(before, explained(failure));
    }
  }

  private void appendUntil(long firstLsn, List<Append> batch, int before, EffectsException failure)
      throws AppendFailedException {
    if (failure.index > 0) {
      append(firstLsn, batch.subList(0, failure.index), before);
    }
    throw AppendFailedException.ofOne(
        before + failure.index,
        new PartitionException(
            Reason.FAILED,
            "The effects of a request to %s failed: %s"
                .formatted(tenure.partition(), failure.cause),
            failure.cause));
  }

  private void appendInHalves(
      long firstLsn, List<Append> batch, int before, LimitExceededException tooLarge)
      throws AppendFailedException {
    if (batch.size() == 1) {
      throw AppendFailedException.ofOne(
          before,
          new PartitionException(
              Reason.INVALID,
              "A request to %s writes more than a transaction may: %s"
                  .formatted(tenure.partition(), tooLarge.getMessage()),
              tooLarge));
    }
    int half = batch.size() / 2;
    append(firstLsn, batch.subList(0, half), before);
    append(firstLsn + half, batch.subList(half, batch.size()), before + half);
  }

  private PartitionException explained(DatabaseException failure) {
    return failure.maybeCommitted()
        ? new PartitionException(
            Reason.IN_DOUBT,
            "It is not known whether the log of %s was written: %s"
                .formatted(tenure.partition(), failure.getMessage()),
            failure)
        : new PartitionException(
            Reason.RELOADED,
            "The log of %s could not be written: %s"
                .formatted(tenure.partition(), failure.getMessage()),
            failure);
  }

  private void write(long firstLsn, List<Append> batch) {
    if (isFresh() && batch.stream().allMatch(append -> append.effects() == null)) {
      try {
        writeUnread(firstLsn, batch);
        return;
      } catch (ConflictException | TransactionTooOldException changed) {
        lastVersion = -1;
      } catch (DatabaseException failure) {
        lastVersion = -1;
        if (!failure.maybeCommitted()) {
          throw failure;
        }
      }
    }
    writeChecked(firstLsn, batch);
  }

  private boolean isFresh() {
    return lastVersion > 0 && database.time().nanos() - lastNanos < FRESH.toNanos();
  }

  private void writeUnread(long firstLsn, List<Append> batch) {
    try (Transaction tx = database.begin()) {
      tx.setReadVersion(lastVersion);
      tx.addReadConflict(keys.ownership(tenure.partition()));
      tx.addReadConflict(keys.logHead(tenure.partition()));
      writeRows(tx, firstLsn, batch);
      tx.commit();
      remember(tx);
    }
  }

  /** Reads both rows, so that it also finds a batch that is there already. */
  private void writeChecked(long firstLsn, List<Append> batch) {
    for (int attempt = 1; ; attempt++) {
      try {
        Transaction done =
            checkedContext.transact(
                tx -> {
                  if (!isThere(tx, firstLsn, batch.size())) {
                    writeRows(tx, firstLsn, batch);
                    applyEffects(tx, batch);
                  }
                  return tx;
                });
        remember(done);
        return;
      } catch (DatabaseException failure) {
        if (!failure.maybeCommitted() || attempt == SETTLING_ATTEMPTS) {
          throw failure;
        }
      }
    }
  }

  private boolean isThere(Transaction tx, long firstLsn, int count) {
    tenure.checkServing(tx.get(keys.ownership(tenure.partition())).map(OwnershipRow::decode));
    LogHeadRow head =
        tx.get(keys.logHead(tenure.partition())).map(LogHeadRow::decode).orElse(LogHeadRow.EMPTY);
    if (head.lsn() == firstLsn - 1) {
      return false;
    }
    if (head.lsn() == firstLsn + count - 1 && head.epoch() == tenure.epoch()) {
      return true;
    }
    throw new PartitionException(
        Reason.CORRUPT,
        "The log of %s is at entry %,d; %,d was to be appended"
            .formatted(tenure.partition(), head.lsn(), firstLsn));
  }

  private void writeRows(Transaction tx, long firstLsn, List<Append> batch) {
    rows.write(tx, firstLsn, batch.stream().map(Append::record).toList());
    long last = firstLsn + batch.size() - 1;
    tx.set(keys.logHead(tenure.partition()), new LogHeadRow(last, tenure.epoch()).encode());
  }

  private static void applyEffects(Transaction tx, List<Append> batch) {
    for (int i = 0; i < batch.size(); i++) {
      Effects effects = batch.get(i).effects();
      if (effects != null) {
        apply(effects, tx, i);
      }
    }
  }

  private static void apply(Effects effects, Transaction tx, int index) {
    try {
      effects.apply(tx);
    } catch (DatabaseException ofTheStore) {
      // A conflict or a version that is too old: the transaction is retried, and the request does
      // not fail.
      if (ofTheStore instanceof UsageException) {
        throw new EffectsException(index, ofTheStore);
      }
      throw ofTheStore;
    } catch (Exception failure) {
      throw new EffectsException(index, failure);
    }
  }

  private void remember(Transaction tx) {
    lastNanos = database.time().nanos();
    try {
      lastVersion = tx.committedVersion();
    } catch (UsageException unknown) {
      lastVersion = -1;
    }
  }

  /** Carries out of the transaction which request's effects failed. */
  private static final class EffectsException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int index;
    private final transient Exception cause;

    EffectsException(int index, Exception cause) {
      super(cause);
      this.index = index;
      this.cause = cause;
    }
  }
}
