package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionOptions.Idempotency;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.CheckpointHeadRow;
import dev.tidemark.partitions.internal.store.LogHeadRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import dev.tidemark.partitions.internal.store.StagedRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The journal of one partition in our store. */
final class StoreJournal implements Journal {
  private static final int SETTLING_ATTEMPTS = 5;

  /** Of all journals of this process: two of the same epoch may write checkpoints at a time. */
  private static final AtomicLong GENERATIONS = new AtomicLong();

  private final Database database;
  private final TransactionContext repeatable;
  private final PartitionKeys keys;
  private final Tenure tenure;
  private final CheckpointRows checkpoints;
  private final Appender appender;

  StoreJournal(Database database, PartitionKeys keys, Tenure tenure) {
    this.database = database;
    this.repeatable = database.with(o -> o.withIdempotency(Idempotency.OFF));
    this.keys = keys;
    this.tenure = tenure;
    this.checkpoints = new CheckpointRows(database, keys);
    this.appender = new Appender(database, keys, tenure);
  }

  @Override
  public Tenure tenure() {
    return tenure;
  }

  @Override
  public Loaded load(JournalTarget target) throws Exception {
    Loaded loaded = StoreJournals.load(database, keys, tenure.partition(), target);
    checkEnd(database.read(this::logHead), loaded.lsn());
    return loaded;
  }

  @Override
  public Optional<Loaded> catchUp(Loaded from, JournalTarget target) throws Exception {
    Optional<CheckpointHeadRow> head = database.read(this::checkpointHead);
    long checkpointLsn = head.map(CheckpointHeadRow::lsn).orElse(0L);
    if (checkpointLsn > from.lsn()) {
      return Optional.empty();
    }
    long lsn = new LogRows(keys, tenure.partition()).read(database, from.lsn(), target);
    return database.read(this::logHead).lsn() == lsn
        ? Optional.of(new Loaded(lsn, checkpointLsn, head.map(CheckpointHeadRow::bytes).orElse(0L)))
        : Optional.empty();
  }

  @Override
  public void open(long lsn) {
    untilKnown(
        tx -> {
          OwnershipRow row = tenure.check(ownership(tx));
          checkEnd(logHead(tx), lsn);
          // Also if it is the same: every append has this row among its reads.
          tx.set(keys.ownership(tenure.partition()), row.withPhase(Phase.SERVING).encode());
          removeLeftovers(tx);
        });
  }

  private void checkEnd(LogHeadRow head, long lsn) {
    if (head.lsn() != lsn) {
      throw new PartitionException(
          Reason.CORRUPT,
          "The log of %s ends at %,d; its last entry should be %,d"
              .formatted(tenure.partition(), lsn, head.lsn()));
    }
  }

  @Override
  public void serve() {
    database.run(tx -> setPhase(tx, Phase.SERVING));
  }

  @Override
  public void quiesce() {
    database.run(tx -> setPhase(tx, Phase.QUIESCED));
  }

  /** Runs what may happen twice, again while nobody can tell whether it has happened. */
  private void untilKnown(Consumer<Transaction> body) {
    for (int attempt = 1; ; attempt++) {
      try {
        repeatable.run(body::accept);
        return;
      } catch (CommitUnknownException unknown) {
        if (attempt == SETTLING_ATTEMPTS) {
          throw unknown;
        }
      }
    }
  }

  private void setPhase(Transaction tx, Phase phase) {
    OwnershipRow row = tenure.check(ownership(tx));
    if (row.phase() != phase) {
      tx.set(keys.ownership(tenure.partition()), row.withPhase(phase).encode());
    }
  }

  /**
   * Removes checkpoints of earlier epochs that do not count. Those of this epoch may have been
   * staged for an operation that is still to come.
   */
  private void removeLeftovers(Transaction tx) {
    String partition = tenure.partition();
    KeyRange earlier =
        new KeyRange(
            keys.checkpoints(partition).begin(), keys.checkpoint(partition, epochPrefix()).begin());
    Optional<CheckpointHeadRow> head = checkpointHead(tx);
    if (head.isEmpty()) {
      clear(tx, earlier.begin(), earlier.end());
      return;
    }
    KeyRange counts = keys.checkpoint(partition, head.get().generation());
    clear(tx, earlier.begin(), min(counts.begin(), earlier.end()));
    clear(tx, counts.end(), earlier.end());
  }

  private static void clear(Transaction tx, Key from, Key to) {
    if (from.compareTo(to) < 0 && tx.scan(new KeyRange(from, to)).first().isPresent()) {
      tx.clear(new KeyRange(from, to));
    }
  }

  private static Key min(Key one, Key other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  @Override
  public void append(long firstLsn, List<Append> batch) throws AppendFailedException {
    appender.append(firstLsn, batch);
  }

  @Override
  public long checkpoint(CheckpointSource source) throws Exception {
    String generation = generation("c" + source.lsn());
    CheckpointHeadRow head =
        checkpoints.write(tenure.partition(), generation, tenure.epoch(), source);
    database.run(tx -> flip(tx, head));
    return head.bytes();
  }

  private void flip(Transaction tx, CheckpointHeadRow head) {
    tenure.check(ownership(tx));
    Optional<CheckpointHeadRow> old = checkpointHead(tx);
    if (old.isPresent() && old.get().lsn() > head.lsn()) {
      return;
    }
    if (old.isPresent() && !old.get().generation().equals(head.generation())) {
      tx.clear(keys.checkpoint(tenure.partition(), old.get().generation()));
    }
    tx.set(keys.checkpointHead(tenure.partition()), head.encode());
    tx.clear(keys.logThrough(tenure.partition(), head.lsn()));
  }

  @Override
  public void stageSplit(
      String operation, CheckpointSource lower, String upperId, CheckpointSource upper)
      throws Exception {
    String generation = generation("o" + operation);
    CheckpointHeadRow below =
        checkpoints.write(tenure.partition(), generation, tenure.epoch(), lower);
    CheckpointHeadRow above = checkpoints.write(upperId, generation, tenure.epoch(), upper);
    database.run(
        tx -> {
          checkLogEnds(tx, tenure, lower.lsn());
          tx.set(
              keys.staged(operation, tenure.partition()),
              new StagedRow(tenure.epoch(), lower.lsn(), Optional.of(below)).encode());
          tx.set(
              keys.staged(operation, upperId),
              new StagedRow(0, upper.lsn(), Optional.of(above)).encode());
        });
  }

  @Override
  public void stageMerge(String operation, CheckpointSource merged, Tenure upper, long upperLsn)
      throws Exception {
    String generation = generation("o" + operation);
    CheckpointHeadRow head =
        checkpoints.write(tenure.partition(), generation, tenure.epoch(), merged);
    database.run(
        tx -> {
          checkLogEnds(tx, tenure, merged.lsn());
          checkLogEnds(tx, upper, upperLsn);
          tx.set(
              keys.staged(operation, tenure.partition()),
              new StagedRow(tenure.epoch(), merged.lsn(), Optional.of(head)).encode());
          tx.set(
              keys.staged(operation, upper.partition()),
              new StagedRow(upper.epoch(), upperLsn, Optional.empty()).encode());
        });
  }

  private void checkLogEnds(Transaction tx, Tenure whose, long lsn) {
    whose.check(tx.get(keys.ownership(whose.partition())).map(OwnershipRow::decode));
    LogHeadRow head =
        tx.get(keys.logHead(whose.partition())).map(LogHeadRow::decode).orElse(LogHeadRow.EMPTY);
    if (head.lsn() != lsn) {
      throw new PartitionException(
          Reason.BUSY,
          "The log of %s went on to %,d while entry %,d was staged"
              .formatted(whose.partition(), head.lsn(), lsn));
    }
  }

  private Optional<OwnershipRow> ownership(ReadTransaction tx) {
    return tx.get(keys.ownership(tenure.partition())).map(OwnershipRow::decode);
  }

  private Optional<CheckpointHeadRow> checkpointHead(ReadTransaction tx) {
    return tx.get(keys.checkpointHead(tenure.partition())).map(CheckpointHeadRow::decode);
  }

  private LogHeadRow logHead(ReadTransaction tx) {
    return tx.get(keys.logHead(tenure.partition()))
        .map(LogHeadRow::decode)
        .orElse(LogHeadRow.EMPTY);
  }

  /**
   * A name that sorts by epoch and that nobody has used: only this process makes those of its
   * epoch.
   */
  private String generation(String what) {
    return "%s-%s-%d".formatted(epochPrefix(), what, GENERATIONS.incrementAndGet());
  }

  private String epochPrefix() {
    return "%016x".formatted(tenure.epoch());
  }
}
