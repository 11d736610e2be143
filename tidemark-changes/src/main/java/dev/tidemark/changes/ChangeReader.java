package dev.tidemark.changes;

import dev.tidemark.changes.internal.delivery.Call;
import dev.tidemark.changes.internal.delivery.Calls;
import dev.tidemark.changes.internal.delivery.Gate;
import dev.tidemark.changes.internal.delivery.HandOff;
import dev.tidemark.changes.internal.engine.ReaderParts;
import dev.tidemark.kv.Database;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Follows a change stream: every change is handed to the program at least once, in the order of the
 * {@link OrderMode}, across splits and merges of partitions, crashes, and several processes.
 *
 * <p>A reader is started once, by one of the {@code start} methods or {@link #iterate}. What the
 * program acknowledges is stored under the name of the run; the next reader of the run goes on
 * there. Readers of one run in several processes share its partitions by leases.
 *
 * <p>{@link #stop} waits for the handlers and stores positions; {@link #close} ends everything at
 * once. All methods may be called from any thread.
 */
public final class ChangeReader implements AutoCloseable {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final ChangeSource source;
  private final MetadataStore store;
  private final ReaderOptions options;
  private final String member = UUID.randomUUID().toString();
  private final Gate gate = new Gate();
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private PositionKeeper keeper = (token, epoch) -> Optional.empty();
  private boolean opening;

  /** Why the reader has ended, if that was before it had begun. Written under the lock. */
  private volatile @Nullable EndReason endedEarly;

  private volatile @Nullable ReaderParts parts;

  private ChangeReader(ChangeSource source, MetadataStore store, ReaderOptions options) {
    this.source = source;
    this.store = store;
    this.options = options;
  }

  /** A reader that has not been started. The source and the store stay the caller's. */
  public static ChangeReader of(ChangeSource source, MetadataStore store, ReaderOptions options) {
    return new ChangeReader(source, store, options);
  }

  /**
   * Starts to read, with a call of {@code handler} for each change.
   *
   * @throws IllegalStateException if the reader was started or closed before
   */
  public void start(ChangeHandler handler) {
    start(calls().each(handler), options.order() == OrderMode.UNORDERED ? 1 : options.batchSize());
  }

  /**
   * Starts to read, with a call of {@code handler} for several changes at a time.
   *
   * @throws IllegalStateException if the reader was started or closed before
   */
  public void startBatches(ChangeHandler.OfBatch handler) {
    start(calls().batch(handler), options.batchSize());
  }

  /**
   * As {@link #startBatches}, for a sink that keeps positions itself, in its own transactions. A
   * position from {@code positions} takes precedence over the metadata store's.
   *
   * @throws IllegalArgumentException if batches could span partitions or overtake each other
   */
  public void startBatches(ChangeHandler.OfBatch handler, PositionKeeper positions) {
    requirePartitionOrder("A sink that keeps positions");
    lock.lock();
    try {
      keeper = positions;
    } finally {
      lock.unlock();
    }
    startBatches(handler);
  }

  /**
   * Starts to read, with each batch handled in the transaction that stores its position: its
   * effects in the metadata store's database take place exactly once.
   *
   * @throws IllegalArgumentException if the metadata store does not live in a database, or batches
   *     could overtake each other
   */
  public void startTransactional(ChangeHandler.InTransaction handler) {
    requirePartitionOrder("A transaction for each batch");
    Database database =
        store
            .database()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "The metadata store has no database to join; use MetadataStore.in"));
    Call call =
        calls()
            .transactional(
                database,
                (tx, claimed, resume) ->
                    started().run().advance(store.in(tx, options.run()), claimed, resume),
                handler);
    start(call, options.batchSize());
  }

  private void requirePartitionOrder(String what) {
    if (options.order() != OrderMode.PARTITION || !options.autoAck()) {
      throw new IllegalArgumentException(
          "%s needs order mode PARTITION and acknowledgement by return; the options say %s%s"
              .formatted(what, options.order(), options.autoAck() ? "" : " and manual ack"));
    }
  }

  /**
   * Starts to read and lets the program take the changes.
   *
   * @throws IllegalStateException if the reader was started or closed before
   */
  public ChangeIterator iterate() {
    HandOff handOff = new HandOff(gate, options.time());
    start(handOff, options.batchSize());
    return new PulledChanges(this, handOff, options.autoAck());
  }

  private Calls calls() {
    return new Calls(gate, options.autoAck(), options.time());
  }

  private void start(Call call, int most) {
    PositionKeeper positions = beginOpening();
    try {
      began(ReaderParts.open(source, store, options, member, gate, positions, call, most));
    } finally {
      lock.lock();
      try {
        opening = false;
      } finally {
        lock.unlock();
      }
    }
  }

  private PositionKeeper beginOpening() {
    lock.lock();
    try {
      if (endedEarly != null) {
        throw new IllegalStateException("The reader is closed; create another one");
      }
      if (parts != null || opening) {
        throw new IllegalStateException(
            "The reader was started before; create another one for each start");
      }
      opening = true;
      return keeper;
    } finally {
      lock.unlock();
    }
  }

  /** Who stops or closes a reader does not wait until the stores have answered its start. */
  private void began(ReaderParts opened) {
    EndReason early;
    lock.lock();
    try {
      parts = opened;
      early = endedEarly;
    } finally {
      lock.unlock();
    }
    if (early == null) {
      opened.start();
    } else {
      opened.loops().end(early);
    }
  }

  private ReaderParts started() {
    ReaderParts opened = parts;
    if (opened == null) {
      throw new IllegalStateException("The reader was not started; call one of its start methods");
    }
    return opened;
  }

  /** Hands out nothing more until {@link #resume}. Calls in progress go on. */
  public void pause() {
    started().loops().pause(true);
  }

  /** Goes on after {@link #pause}. */
  public void resume() {
    started().loops().pause(false);
  }

  /**
   * Stops: hands out nothing more, waits up to {@code patience} until everything handed out is
   * acknowledged, stores positions and gives the partitions back. {@link #close} should follow.
   *
   * @return why the reader has ended; {@link EndReason.Stopped} tells whether all was drained
   */
  public EndReason stop(Duration patience) throws InterruptedException {
    Optional<EndReason> early = endEarly(new EndReason.Stopped(true));
    return early.isPresent() ? early.get() : started().loops().stop(patience);
  }

  /** Ends a reader that has not begun yet; empty if it has. The first reason stays. */
  private Optional<EndReason> endEarly(EndReason reason) {
    lock.lock();
    try {
      if (parts == null && endedEarly == null) {
        endedEarly = reason;
      }
      return Optional.ofNullable(endedEarly);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the reader has ended. */
  public EndReason await() throws InterruptedException {
    return await(FOR_EVER).orElseThrow();
  }

  /** Waits until the reader has ended, for {@code patience} at most. */
  public Optional<EndReason> await(Duration patience) throws InterruptedException {
    Optional<EndReason> early = Optional.ofNullable(endedEarly);
    return early.isPresent() ? early : started().loops().await(patience);
  }

  /** Why the reader has ended, if it has. */
  public Optional<EndReason> endReason() {
    ReaderParts opened = parts;
    return opened == null ? Optional.ofNullable(endedEarly) : opened.loops().ended();
  }

  /** Numbers of this reader and its run. */
  public ReaderStatistics statistics() {
    return started().statistics();
  }

  /** Who split into whom, and where each partition stands. */
  public Lineage lineage() {
    return Lineage.of(store, options.run());
  }

  /** Changes that the source removed before this reader could read them, as texts for people. */
  public List<String> gaps() {
    return started().gaps();
  }

  /** Ends everything at once; what was not acknowledged is delivered again. Can be called again. */
  @Override
  public void close() {
    if (endEarly(new EndReason.Closed()).isEmpty()) {
      started().loops().end(new EndReason.Closed());
    }
  }
}
