package dev.tidemark.records.internal.migration;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.UnfitRecordsException;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.StoredRow;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.internal.store.RecordWrites.Existence;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.internal.work.Allowance;
import dev.tidemark.records.internal.work.BatchLoop;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.MigrationOptions;
import dev.tidemark.records.maintenance.MigrationProgress;
import dev.tidemark.records.maintenance.MigrationStatus;
import dev.tidemark.records.maintenance.MigrationStep;
import dev.tidemark.records.maintenance.UnfitRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of {@link dev.tidemark.records.maintenance.Migrations}. */
public final class MigrationRun {
  /** The number of records that are checked behind one that a step cannot process. */
  private static final int LOOKED_AT_MAX = 10_000;

  private final RecordSpace owner;
  private final Space space;
  private final Database database;
  private final List<MigrationPlan> steps;
  private final MigrationOptions options;
  private final MigrationLease lease;

  /** A run of {@code steps} in {@code space}, which is that of {@code owner}. */
  public MigrationRun(
      RecordSpace owner, Space space, List<MigrationPlan> steps, MigrationOptions options) {
    this.owner = owner;
    this.space = space;
    this.database = space.database();
    this.steps = steps;
    this.options = options;
    this.lease = new MigrationLease(database, space.keys().migrationLease(), options);
  }

  /** The status of {@code steps}. */
  public static List<MigrationStatus> status(
      Space space, List<MigrationPlan> steps, ReadTransaction tx) {
    return steps.stream()
        .map(
            step ->
                status(step.name(), MigrationState.read(tx, space.keys().migration(step.name()))))
        .toList();
  }

  private static MigrationStatus status(String name, Optional<MigrationState> state) {
    return new MigrationStatus(
        name,
        state.isEmpty()
            ? MigrationStatus.State.PENDING
            : state.get().isDone() ? MigrationStatus.State.DONE : MigrationStatus.State.BEGUN,
        state.map(MigrationState::records).orElse(0L),
        state.map(each -> instant(each.begunMicros())),
        state.filter(MigrationState::isDone).map(each -> instant(each.doneMicros())));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Runs the steps that are not done. */
  public void run() {
    if (database.<Integer, RuntimeException>read(this::firstToDo) == steps.size()) {
      return;
    }
    lease.take();
    try {
      int first = database.<Integer, RuntimeException>read(this::firstToDo);
      for (int i = first; i < steps.size(); i++) {
        run(i);
      }
    } catch (RuntimeException | Error failure) {
      releaseAfter(failure);
      throw failure;
    }
    lease.release();
  }

  /** Releases the lease; the caller gets the first failure, and an unreleased lease expires. */
  private void releaseAfter(Throwable failure) {
    try {
      lease.release();
    } catch (RuntimeException | Error another) {
      failure.addSuppressed(another);
    }
  }

  /** The index of the first step that is not done; no later one may be done. */
  private int firstToDo(ReadTransaction tx) {
    List<MigrationStatus> all = status(space, steps, tx);
    int first = 0;
    while (first < all.size() && all.get(first).state() == MigrationStatus.State.DONE) {
      first++;
    }
    for (MigrationStatus later : all.subList(Math.min(first + 1, all.size()), all.size())) {
      if (later.state() == MigrationStatus.State.DONE) {
        throw new IllegalStateException(
            "The migration '%s' is not done, but '%s', which comes after it, is. Put new steps at the end"
                .formatted(all.get(first).name(), later.name()));
      }
    }
    return first;
  }

  private void run(int number) {
    MigrationPlan step = steps.get(number);
    Key key = space.keys().migration(step.name());
    database.run(tx -> begin(tx, key, number));
    switch (step) {
      case MigrationPlan.Transform<?> transform -> transform(number, key, transform);
      case MigrationPlan.Custom custom ->
          custom.work().run(new Context(step.name(), key), () -> database.run(lease::hold));
    }
    database.run(
        tx -> {
          lease.hold(tx);
          tx.set(key, state(tx, key).doneAt(database.time().wallMicros()).toBytes());
        });
    show(number, database.read(tx -> state(tx, key)), 1);
  }

  private void begin(Transaction tx, Key key, int number) {
    var unused = space.ownState(tx); // refuses a program of an older schema
    lease.hold(tx);
    if (MigrationState.read(tx, key).isEmpty()) {
      long now = database.time().wallMicros();
      tx.set(key, new MigrationState(number, Key.EMPTY, 0, now, 0).toBytes());
    }
  }

  private static MigrationState state(ReadTransaction tx, Key key) {
    return MigrationState.read(tx, key)
        .orElseThrow(
            () -> new IllegalStateException("The state of a migration is gone while it runs"));
  }

  private void show(int number, MigrationState state, double fraction) {
    MigrationProgress progress =
        new MigrationProgress(
            steps.get(number).name(),
            state.isDone() ? number + 1 : number,
            steps.size(),
            state.records(),
            fraction);
    options.listener().accept(progress);
  }

  // ---- records

  private <R> void transform(int number, Key key, MigrationPlan.Transform<R> step) {
    BuildOptions batches =
        BuildOptions.DEFAULTS.withRecordsPerTransaction(options.recordsPerTransaction());
    BatchLoop loop = new BatchLoop(database, batches);
    TypeKeys keys = database.read(tx -> space.state(tx).type(step.type().name()).keys());
    long all = Math.max(1, database.estimatedSize(keys.all()));
    boolean more = true;
    while (more) {
      try {
        more = loop.commit((tx, allowance) -> batch(tx, key, step, keys, allowance));
      } catch (RefusedRecordException refused) {
        throw blocked(step, keys, refused);
      }
      MigrationState state = database.read(tx -> state(tx, key));
      long passed = database.estimatedSize(KeyRange.of(keys.all().begin(), state.place()));
      show(number, state, more ? Math.min(1, (double) passed / all) : 1);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new InterruptedOperationException(
            "Interrupted in the migration '%s'; another run goes on from here"
                .formatted(step.name()),
            new InterruptedException());
      }
    }
  }

  /**
   * The step stops before the {@code refused} record; none is skipped. It searches for further
   * refused records, so that they can be removed together.
   */
  private <R> UnfitRecordsException blocked(
      MigrationPlan.Transform<R> step, TypeKeys keys, RefusedRecordException refused) {
    List<UnfitRecord> unfit = new ArrayList<>();
    Records<R> records = Records.of(space, step.type());
    Key from = keys.record(refused.primaryKey()).all().begin();
    try (Transaction tx = database.begin()) {
      StoredRows<R> rows = records.rows(tx.snapshot(), KeyRange.of(from, keys.all().end()));
      for (int looked = 0; looked < LOOKED_AT_MAX; looked++) {
        try {
          if (!rows.hasNext()) {
            break;
          }
          rows.next();
        } catch (RefusedRecordException another) {
          unfit.add(
              new UnfitRecord(
                  step.type().name(), another.primaryKey(), String.valueOf(another.getMessage())));
        }
        if (unfit.size() == UnfitRecordsException.RECORDS_MAX) {
          break;
        }
      }
    }
    return new UnfitRecordsException(
        "The migration '%s' cannot go on: %s. It waits there; %,d such records were found from there on. Delete them or save others over them, and run it again"
            .formatted(step.name(), refused.getMessage(), unfit.size()),
        unfit,
        unfit.size());
  }

  /**
   * Processes the next records within {@code allowance}. It reads them without conflicts; each save
   * has one. Returns whether there may be more.
   */
  private <R> boolean batch(
      Transaction tx,
      Key key,
      MigrationPlan.Transform<R> step,
      TypeKeys keys,
      Allowance allowance) {
    lease.hold(tx);
    MigrationState state = state(tx, key);
    Key from = state.place().size() == 0 ? keys.all().begin() : state.place();
    Records<R> records = Records.of(space, step.type());
    StoredRows<R> rows = records.rows(tx.snapshot(), KeyRange.of(from, keys.all().end()));
    Key next = from;
    boolean more = rows.hasNext();
    while (more && !allowance.isSpent()) {
      StoredRow<R> row = rows.next();
      save(tx, step, records, row);
      next = row.key().all().end();
      allowance.spend();
      try {
        more = rows.hasNext();
      } catch (RefusedRecordException refused) {
        break; // What came before it is kept; the next batch begins with it.
      }
    }
    Key place = more ? next : keys.all().end();
    tx.set(key, state.at(place, allowance.spentRecords()).toBytes());
    return more;
  }

  private static <R> void save(
      Transaction tx, MigrationPlan.Transform<R> step, Records<R> records, StoredRow<R> row) {
    R changed = step.change().apply(row.record());
    if (changed.equals(row.record()) && row.encryptedAsNow()) {
      return; // A save would fill defaults and stamp a version, though nothing was changed.
    }
    Tuple primaryKey = records.primaryKey(changed);
    if (!primaryKey.equals(row.primaryKey())) {
      throw new IllegalArgumentException(
          "The migration '%s' makes %s of the primary key %s of a %s; primary keys stay. Save a new record and delete the old one in a custom step"
              .formatted(step.name(), primaryKey, row.primaryKey(), step.type().name()));
    }
    records.writes().save(tx, changed, Existence.ANY);
  }

  // ---- custom steps

  /** The context of a custom step. */
  private final class Context implements MigrationStep.Context {
    private final String step;
    private final Key key;

    Context(String step, Key key) {
      this.step = step;
      this.key = key;
    }

    @Override
    public RecordSpace space() {
      return owner;
    }

    @Override
    public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
      return database.transact(
          tx -> {
            lease.hold(tx);
            return body.apply(tx);
          });
    }

    @Override
    public Optional<byte[]> place(Transaction tx) {
      return Optional.of(state(tx, key).place())
          .filter(place -> place.size() > 0)
          .map(Key::toByteArray);
    }

    @Override
    public void savePlace(Transaction tx, byte[] place) {
      if (place.length > 10_000) {
        throw new IllegalArgumentException(
            "The place of the migration '%s' has %,d bytes; the limit is 10,000. Store the rest under keys of your own"
                .formatted(step, place.length));
      }
      tx.set(key, state(tx, key).at(Key.of(place), 0).toBytes());
    }
  }
}
