package dev.tidemark.records.internal.build;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.UnfitRecordsException;
import dev.tidemark.records.internal.build.BuildBatch.Result;
import dev.tidemark.records.internal.build.Fragments.Fragment;
import dev.tidemark.records.internal.format.LittleEndian;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.IndexStates;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.work.BatchLoop;
import dev.tidemark.records.internal.work.Pace;
import dev.tidemark.records.maintenance.BuildOptions;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.UnfitRecord;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of an {@link dev.tidemark.records.maintenance.OnlineIndexer}. */
public final class IndexBuild {
  private static final Duration BETWEEN_REPORTS = Duration.ofMillis(50);

  /** How long a worker may take to end; a batch is shorter than this. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int SETTLED_PER_TRANSACTION = 1_000;

  /** Workers leave about one gap each. */
  private static final int GAPS_MEASURED = 256;

  private final Space space;
  private final Database database;
  private final BuildOptions options;
  private final RecordType<?> type;
  private final IndexStates states;
  private final BuildBatch batch;
  private final BuildTracker tracker;
  private final Pace pace;

  /** Why the workers are to end. */
  private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();

  // Guarded by this.
  private List<Thread> workers = List.of();

  /** A build of the indexes of {@code type} that {@code options} names. */
  public IndexBuild(Space space, RecordType<?> type, BuildOptions options) {
    this.space = space;
    this.database = space.database();
    this.options = options;
    this.type = type;
    this.states = new IndexStates(space);
    this.batch = new BuildBatch(space, type, this::unfinished);
    this.pace = new Pace(database.time(), options.recordsPerSecond().orElse(0));
    this.tracker =
        database.read(
            tx ->
                new BuildTracker(
                    options.indexes(),
                    database.time(),
                    countedRecords(tx),
                    database.estimatedSize(space.state(tx).type(type.name()).keys().all())));
  }

  /** Builds until the indexes are readable. */
  public BuildProgress run() {
    throwIfEnded();
    begin();
    do {
      settleViolations();
      scan();
      throwIfUnfit();
    } while (!finish());
    BuildProgress done = tracker.snapshot();
    options.listener().accept(done);
    return done;
  }

  /** The progress of this build. */
  public BuildProgress progress() {
    return tracker.snapshot();
  }

  /** The stored progress of the indexes, whichever program builds them. */
  public BuildProgress storedProgress() {
    return database.read(this::storedProgress);
  }

  private BuildProgress storedProgress(ReadTransaction tx) {
    SpaceState state = space.state(tx);
    long scanned = Long.MAX_VALUE;
    long missing = 0;
    boolean complete = true;
    for (String index : options.indexes()) {
      IndexState now = state.state(index);
      if (!now.isReadable()) {
        complete = false;
        IndexKeys keys = state.indexKeys(index);
        scanned =
            Math.min(
                scanned, tx.snapshot().get(keys.scanned()).map(LittleEndian::number).orElse(0L));
        missing = Math.max(missing, bytesMissing(tx, state, now, keys));
      }
    }
    return tracker.elsewhere(complete, complete ? 0 : scanned, missing);
  }

  /** The approximate size of the records that a build has not processed yet. */
  private long bytesMissing(ReadTransaction tx, SpaceState state, IndexState now, IndexKeys keys) {
    TypeKeys records = state.type(type.name()).keys();
    if (now == IndexState.DISABLED) {
      return database.estimatedSize(records.all());
    }
    List<KeyRange> gaps =
        keys.built().missing(tx.snapshot(), IndexStates.EVERY_RECORD, GAPS_MEASURED);
    return gaps.stream().mapToLong(gap -> database.estimatedSize(records.records(gap))).sum();
  }

  /** Ends the build from any thread; {@link #run} then throws {@code why}. */
  public void cancel(CancellationException why) {
    stop(why);
  }

  private void begin() {
    database.run(
        tx -> {
          for (String index : options.indexes()) {
            if (options.start() == BuildOptions.Start.ANEW
                || space.state(tx).state(index) == IndexState.DISABLED) {
              states.beginAnew(tx, index);
            }
          }
        });
  }

  /**
   * Makes the indexes readable. Returns false if something is missing again, because another
   * program started the build anew.
   */
  private boolean finish() {
    Optional<Long> seen =
        database.transact(
            tx -> {
              if (options.indexes().stream()
                  .anyMatch(index -> states.firstMissing(tx, index).isPresent())) {
                return Optional.empty();
              }
              long scanned = scanned(tx);
              options.indexes().forEach(index -> states.makeReadable(tx, index));
              return Optional.of(scanned);
            });
    seen.ifPresent(tracker::complete);
    return seen.isPresent();
  }

  /** How many records the index that is farthest behind has seen. */
  private long scanned(ReadTransaction tx) {
    return unfinished(space.state(tx)).stream()
        .mapToLong(
            index -> tx.snapshot().get(index.keys().scanned()).map(LittleEndian::number).orElse(0L))
        .min()
        .orElse(0);
  }

  /**
   * Removes resolved violations of earlier builds in batches, because one transaction may be too
   * short.
   */
  private void settleViolations() {
    for (String index : options.indexes()) {
      int settled = SETTLED_PER_TRANSACTION;
      while (settled == SETTLED_PER_TRANSACTION) {
        settled = database.transact(tx -> states.settle(tx, index, SETTLED_PER_TRANSACTION));
      }
    }
  }

  // ---- workers

  private void scan() {
    Fragments fragments =
        Fragments.of(
            database,
            database.read(tx -> space.state(tx).type(type.name()).keys()),
            type.spec().primaryKey().size());
    start(fragments);
    try {
      report();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      stop(
          new InterruptedOperationException(
              "Interrupted while the indexes %s were built; another build goes on from here"
                  .formatted(options.indexes()),
              interrupt));
    } catch (RuntimeException | Error failure) {
      stop(failure);
    }
    awaitWorkers();
    throwIfEnded();
  }

  /** Records that do not fit stay missing, so that the next build scans only these. */
  private void throwIfUnfit() {
    long count = tracker.unfitCount();
    if (count > 0) {
      List<UnfitRecord> unfit = tracker.unfit();
      throw new UnfitRecordsException(
          "%,d records of type %s do not fit the indexes %s, which have all others: %s. Delete them or save them in another form, and build again: only these are looked at. Or disable the indexes"
              .formatted(count, type.name(), options.indexes(), unfit.getFirst().reason()),
          unfit,
          count);
    }
  }

  private void throwIfEnded() {
    switch (end.get()) {
      case null -> {}
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      case Throwable other -> throw new IllegalStateException("A build ended", other);
    }
  }

  private synchronized void start(Fragments fragments) {
    List<Thread> started = new ArrayList<>();
    for (int i = 1; i <= options.workers() && end.get() == null; i++) {
      started.add(
          Thread.ofPlatform()
              .daemon()
              .name("tidemark-index-build-" + i)
              .start(() -> work(fragments)));
    }
    workers = started;
  }

  private synchronized List<Thread> workers() {
    return workers;
  }

  /** Reports the progress periodically until all workers have ended. */
  private void report() throws InterruptedException {
    for (Thread worker : workers()) {
      while (!worker.join(BETWEEN_REPORTS)) {
        options.listener().accept(tracker.snapshot());
      }
    }
  }

  private void stop(Throwable why) {
    if (end.compareAndSet(null, why)) {
      workers().forEach(Thread::interrupt);
    }
  }

  /** Waits for the workers even if the caller is interrupted, and restores its interrupt status. */
  private void awaitWorkers() {
    boolean interrupted = Thread.interrupted();
    try {
      for (Thread worker : workers()) {
        interrupted |= !joined(worker);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns false if the wait was interrupted. */
  private static boolean joined(Thread worker) {
    boolean interrupted = false;
    while (true) {
      try {
        if (!worker.join(PATIENCE)) {
          throw new IllegalStateException(
              "%s does not end within %s".formatted(worker.getName(), PATIENCE));
        }
        return !interrupted;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
  }

  private void work(Fragments fragments) {
    try {
      BatchLoop loop = new BatchLoop(database, options);
      Optional<Fragment> next = fragments.take();
      while (next.isPresent()) {
        work(loop, fragments, next.get());
        next = fragments.take();
      }
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failure) {
      stop(failure);
    }
  }

  private void work(BatchLoop loop, Fragments fragments, Fragment fragment)
      throws InterruptedException {
    boolean wholeOnly = fragment.wholeOnly();
    Deque<KeyRange> parts = new ArrayDeque<>(List.of(fragment.range()));
    while (!parts.isEmpty()) {
      KeyRange part = parts.getFirst();
      if (Thread.interrupted()) {
        throw new InterruptedException("The build has ended");
      }
      boolean asked = wholeOnly;
      Result result;
      try {
        result =
            loop.commit(
                (tx, most) -> batch.run(tx, part, asked, most),
                failure -> tracker.failed(fragment, failure));
      } catch (BuildBatch.Unfit unfit) {
        tracker.unfit(unfit.record());
        passOver(parts, unfit.record().primaryKey());
        wholeOnly = false;
        continue;
      }
      switch (result.outcome()) {
        case COMPLETE -> parts.removeFirst();
        case IN_PIECES -> {
          fragments.putBack(fragment);
          return;
        }
        case WENT_ON -> {
          tracker.committed(result);
          space.activity().index(result.indexed());
          pace.pay(result.records());
        }
      }
      wholeOnly = false;
    }
  }

  /** Splits the first of {@code parts} around a record that is skipped. */
  private static void passOver(Deque<KeyRange> parts, Tuple record) {
    KeyRange part = parts.removeFirst();
    Key begin = IndexWriter.progressKey(record);
    Key behind = IndexWriter.progressBehind(record);
    if (behind.compareTo(part.end()) < 0) {
      parts.addFirst(KeyRange.of(behind, part.end()));
    }
    if (part.begin().compareTo(begin) < 0) {
      parts.addFirst(KeyRange.of(part.begin(), begin));
    }
  }

  // ---- what there is to do

  /** Those of the indexes that are not finished, by this program or by another one. */
  private List<Maintainer> unfinished(SpaceState state) {
    List<Maintainer> unfinished = new ArrayList<>();
    for (String index : options.indexes()) {
      switch (state.state(index)) {
        case WRITE_ONLY -> unfinished.add(state.maintainer(index));
        case READABLE, READABLE_UNIQUE_PENDING -> {}
        case DISABLED ->
            throw new IndexStateException(
                index,
                IndexState.DISABLED,
                "The index '%s' was disabled while it was built. Start the build again if it is wanted"
                    .formatted(index));
      }
    }
    return unfinished;
  }

  /** How many records the type has by a count of all of them; -1 without one. */
  private long countedRecords(ReadTransaction tx) {
    SpaceState state = space.state(tx);
    for (IndexSpec index : space.schema().indexes()) {
      if (index.type().equals(type.name())
          && index.kind() == IndexKind.COUNT
          && index.columns().isEmpty()
          && index.filter().equals(IndexFilter.ALL)
          && state.state(index.name()) == IndexState.READABLE) {
        return tx.get(state.maintainer(index.name()).keys().entries().prefix())
            .map(LittleEndian::number)
            .orElse(0L);
      }
    }
    return -1;
  }
}
