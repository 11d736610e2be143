package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.Next;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.internal.delivery.AckDeque;
import dev.tidemark.changes.internal.delivery.Entry;
import dev.tidemark.changes.internal.delivery.PendingDelivery;
import dev.tidemark.changes.internal.partition.FencedException;
import dev.tidemark.changes.internal.partition.TokenName;
import dev.tidemark.changes.internal.watermark.Frontier;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One claimed partition while this process reads it.
 *
 * <p>Steps are taken by one thread. A partition counts as read to its end only with evidence: its
 * child records were stored, or the source says that the run's end was reached. Any other end of a
 * query leads to another query from the last record.
 */
public final class PartitionSession {
  private static final int STALLS_MAX = 5;

  /** What is noted together counts for the limit of all partitions only then. */
  private static final long TOGETHER_BYTES = 64 << 10;

  /**
   * How many times as much as may be in flight is remembered behind a change that is not
   * acknowledged, with all that is.
   */
  private static final int REMEMBERED_FACTOR = 100;

  private final Environment env;
  private final PartitionRow claimed;
  private final boolean isRoot;
  private final AckDeque deque;
  private final ReadState read;
  private final Attempts attempts;
  private final Map<Entry, PendingDelivery> unacked = new ConcurrentHashMap<>();

  // Used by the stepping thread alone.
  private @Nullable Waiting waitingChildren;
  private boolean running;
  private boolean childrenStored;
  private boolean progress = true;
  private int stalls;
  private long openedNanos;
  private long heardNanos;

  private volatile ChangeSource.@Nullable Cursor cursor;
  private volatile boolean readOut;
  private volatile boolean finished;
  private volatile boolean closed;
  private volatile @Nullable ResumePoint stored;

  /** A child record that was read and is not stored yet. */
  private record Waiting(ChangeRecord.ChildPartitions record, Entry entry) {}

  PartitionSession(Environment env, PartitionRow claimed) {
    this.env = env;
    this.claimed = claimed;
    this.isRoot = claimed.token().equals(env.source().rootOf(claimed.token()));
    ResumePoint start =
        env.keeper().position(claimed.token(), claimed.epoch()).orElse(claimed.resume());
    this.deque = new AckDeque(start, env.source()::compare, env.budget());
    this.read = new ReadState(start, env.source()::compare);
    this.attempts = new Attempts(env.options().retry(), env.chance());
  }

  /**
   * Reads what is ready, one item at least, and waits for that up to {@code wait}. Changes are
   * noted and handed over together.
   */
  public Step step(Duration wait) throws InterruptedException {
    if (closed) {
      return new Step.Closed();
    }
    if (readOut) {
      return new Step.ReadOut();
    }
    try {
      return advance(wait);
    } catch (FencedException lost) {
      env.counters().fenced.increment();
      close();
      return new Step.Closed();
    } catch (ChangeSourceException failure) {
      closeCursor();
      return closed ? new Step.Closed() : retry(failure);
    } catch (InterruptedOperationException closing) {
      closeCursor();
      throw closing;
    } catch (DatabaseException failure) {
      // What was read and not noted is read again.
      closeCursor();
      return retry(failure);
    }
  }

  private Step advance(Duration wait) throws InterruptedException {
    try {
      return read(wait);
    } catch (ChangeSourceException failure) {
      if (closed || failure.kind() != Kind.TOO_OLD || failure.earliest().isEmpty()) {
        throw failure;
      }
      closeCursor();
      return afterGap(failure, failure.earliest().get());
    }
  }

  private Step read(Duration wait) throws InterruptedException {
    if (waitingChildren != null) {
      storeChildren(waitingChildren);
      return new Step.Read(1);
    }
    if (isFull()) {
      holdBack();
      return new Step.Full();
    }
    if (env.rate().isLimited()) {
      Duration pause = env.rate().reserve(nanos());
      if (!pause.isZero()) {
        holdBack();
        return new Step.Wait(pause);
      }
    }
    ChangeSource.Cursor from = cursor();
    Next next = from.next(wait);
    if (next instanceof Next.Item(DataChange change, int bytes)) {
      return tookChanges(change, bytes, from);
    }
    env.rate().giveBack();
    return took(next);
  }

  /** Anything but a change. */
  private Step took(Next next) {
    return switch (next) {
      case Next.Item item -> took(item.record());
      case Next.Idle() -> idle();
      case Next.Ended(ChangeSource.End end) -> ended(end);
    };
  }

  /** A change, and those that are ready behind it as far as there is room. */
  private Step tookChanges(DataChange first, int firstBytes, ChangeSource.Cursor from)
      throws InterruptedException {
    long now = nanos();
    heardNanos = now;
    beginsToRun();
    Next next = new Next.Item(first, firstBytes);
    Together together = new Together(Math.min(env.budget().left(), TOGETHER_BYTES));
    // A rate counts each of them before it is read.
    int most = env.rate().isLimited() ? 1 : env.options().inFlightPerPartition() - deque.inFlight();
    try {
      while (next instanceof Next.Item(DataChange change, int bytes)) {
        took(change, bytes, together);
        next = together.mayGrow(most) && from.isReady() ? from.next(Duration.ZERO) : null;
      }
    } finally {
      handOver(together);
    }
    if (next == null) {
      reopenIfOld(now);
      return new Step.Read(together.entries.size());
    }
    return took(next);
  }

  /** Changes that are noted and handed over at once. */
  private static final class Together {
    private final List<Entry> entries = new ArrayList<>();
    private final List<PendingDelivery> deliveries = new ArrayList<>();
    private final List<Entry> unwanted = new ArrayList<>(0);
    private long bytesLeft;

    Together(long bytesLeft) {
      this.bytesLeft = bytesLeft;
    }

    boolean mayGrow(int most) {
      return entries.size() < most && bytesLeft > 0;
    }
  }

  /**
   * They are noted first: what is handed over may be acknowledged at once. The frontier follows
   * last: an order over all partitions releases whatever is before it.
   */
  private void handOver(Together together) {
    if (!together.entries.isEmpty()) {
      env.counters().records.add(together.entries.size());
      deque.append(together.entries);
      if (!together.unwanted.isEmpty()) {
        deque.ack(together.unwanted);
      }
      if (!together.deliveries.isEmpty()) {
        env.outlet().add(together.deliveries);
      }
      tookSomethingNew();
    }
    read.handedOver();
  }

  /** Notes that nothing is read now, which is no silence of the source. */
  void holdBack() {
    heardNanos = nanos();
  }

  private boolean isFull() {
    int inFlight = deque.inFlight();
    if (inFlight == 0) {
      return false;
    }
    int most = env.options().inFlightPerPartition();
    boolean full =
        inFlight >= most
            || deque.size() >= (long) most * REMEMBERED_FACTOR
            || env.budget().isSpent();
    return full && !mustGoOn();
  }

  /**
   * Whether all would wait for ever if this one did: it holds everybody else up, and the program
   * has nothing of it to do that would make room.
   */
  private boolean mustGoOn() {
    return env.options().order().isGlobal() && !deque.hasReleased() && env.isSlowest().test(this);
  }

  private ChangeSource.Cursor cursor() {
    ChangeSource.Cursor open = cursor;
    if (open == null) {
      env.counters().queries.increment();
      open =
          env.source()
              .open(
                  new ChangeSource.Query(
                      claimed.token(),
                      read.position(),
                      env.run().row().end(),
                      env.options().heartbeat()));
      cursor = open;
      openedNanos = nanos();
      heardNanos = openedNanos;
      progress = false;
      if (closed) {
        closeCursor();
      }
    }
    return open;
  }

  private Step took(ChangeRecord record) {
    long now = nanos();
    heardNanos = now;
    boolean isNew =
        switch (record) {
          case DataChange change -> throw new AssertionError(change.id());
          case ChangeRecord.Heartbeat heartbeat -> {
            beginsToRun();
            yield took(heartbeat);
          }
          // Children are stored together with the note that the query has answered.
          case ChangeRecord.ChildPartitions children -> took(children);
        };
    if (isNew) {
      tookSomethingNew();
    }
    reopenIfOld(now);
    return new Step.Read(1);
  }

  private void beginsToRun() {
    if (!running) {
      env.run().running(claimed);
      running = true;
    }
  }

  private void tookSomethingNew() {
    progress = true;
    stalls = 0;
    attempts.succeeded();
  }

  private void took(DataChange change, int bytes, Together together) {
    if (isRoot) {
      throw malformed("The query of the root returned a change");
    }
    if (childrenStored) {
      throw malformed("A change followed the child record");
    }
    if (!read.take(change) || isOfTheGenerationBefore(change)) {
      env.counters().duplicates.increment();
      return;
    }
    Entry entry = new Entry(change, bytes);
    together.entries.add(entry);
    together.bytesLeft -= bytes;
    if (change.systemTransaction() && !env.options().systemTransactions()) {
      together.unwanted.add(entry);
      return;
    }
    PendingDelivery delivery = new PendingDelivery(change, claimed, deque, entry, env.failures());
    if (env.options().onAckTimeout() == ReaderOptions.OnAckTimeout.REDELIVER) {
      unacked.put(entry, delivery);
    }
    together.deliveries.add(delivery);
  }

  private boolean isOfTheGenerationBefore(DataChange change) {
    return env.run().row().startExclusive()
        && env.source().compare(change.position(), env.run().row().start()) <= 0;
  }

  private boolean took(ChangeRecord.Heartbeat heartbeat) {
    env.counters().heartbeats.increment();
    boolean isNew = read.take(heartbeat);
    if (isNew) {
      deque.appendHeartbeat(heartbeat.position());
    }
    return isNew;
  }

  private boolean took(ChangeRecord.ChildPartitions children) {
    env.counters().childRecords.increment();
    read.take(children);
    Entry entry = deque.append(Entry.Kind.CHILDREN, children.position());
    waitingChildren = new Waiting(children, entry);
    storeChildren(waitingChildren);
    return true;
  }

  /** The children are stored before their record counts as acknowledged. */
  private void storeChildren(Waiting waiting) {
    env.run().insertChildren(claimed, waiting.record());
    waitingChildren = null;
    running = true;
    childrenStored = true;
    attempts.succeeded();
    deque.ack(List.of(waiting.entry()));
  }

  private Step idle() {
    Duration silence = Duration.ofNanos(nanos() - heardNanos);
    Duration patience = env.options().heartbeat().multipliedBy(env.options().missedHeartbeats());
    if (silence.compareTo(patience) > 0) {
      env.counters().silent.increment();
      closeCursor();
      return retry(
          new ChangeSourceException(
              Kind.UNAVAILABLE,
              "Partition %s gave no sign of life for %s".formatted(name(), silence),
              null));
    }
    reopenIfOld(nanos());
    return new Step.Idle();
  }

  private void reopenIfOld(long now) {
    if (now - openedNanos > env.options().softTimeout().toNanos()) {
      closeCursor();
    }
  }

  private Step ended(ChangeSource.End end) {
    closeCursor();
    return switch (end) {
      case PARTITION_OVER -> over();
      case REACHED_UNTIL -> {
        Position userEnd =
            env.run()
                .row()
                .end()
                .orElseThrow(() -> malformed("A query without an end says it reached its end"));
        read.reachedEnd(userEnd);
        yield readOut();
      }
      case BROKEN_OFF -> brokenOff();
    };
  }

  private Step over() {
    if (!childrenStored) {
      throw malformed("The query says that the partition is over, but returned no child record");
    }
    return readOut();
  }

  private Step readOut() {
    readOut = true;
    return new Step.ReadOut();
  }

  /** The end of a query is no end of the partition. */
  private Step brokenOff() {
    if (progress) {
      return new Step.Read(1);
    }
    stalls++;
    if (stalls >= STALLS_MAX) {
      throw new ChangeReaderException(
          "%d queries of partition %s from %s in a row ended without a record; the source does not go on"
              .formatted(stalls, name(), read.position()),
          null);
    }
    env.counters().retries.increment();
    return new Step.Wait(env.options().retry().pause(stalls, env.chance().getAsDouble()));
  }

  private Step retry(RuntimeException failure) {
    Optional<Duration> pause = attempts.failed(failure);
    if (pause.isEmpty()) {
      throw new ChangeReaderException(
          "Partition %s cannot be read on from %s; %d failures in a row were retried: %s"
              .formatted(
                  name(),
                  read.position(),
                  Math.max(0, attempts.failures() - 1),
                  failure.getMessage()),
          failure);
    }
    env.counters().retries.increment();
    return new Step.Wait(pause.get());
  }

  private Step afterGap(ChangeSourceException failure, Position earliest) {
    Gap gap = new Gap(claimed.token(), read.position(), earliest);
    if (env.options().onGap() == ReaderOptions.OnGap.FAIL) {
      tell(gap);
      throw new ChangeReaderException(
          "Changes of partition %s %s were removed before they were read, or the stream did not exist yet. Start another run, or skip them with OnGap.SKIP"
              .formatted(name(), gap.span(env.source())),
          failure);
    }
    if (env.source().compare(earliest, read.position()) <= 0) {
      return retry(failure);
    }
    // It is told when it was skipped: what is behind it may have to be asked for several times.
    Step skipped =
        new GapSkip(env, claimed).survives(earliest) ? skipTo(earliest) : replacedAt(earliest);
    tell(gap);
    return skipped;
  }

  private void tell(Gap gap) {
    env.counters().gaps.increment();
    env.gaps().accept(gap);
  }

  private Step skipTo(Position earliest) {
    read.skipTo(earliest);
    deque.ack(List.of(deque.append(Entry.Kind.CHILDREN, earliest)));
    return new Step.Read(1);
  }

  /** The partition itself is lost as a whole: those alive at the earliest position go on. */
  private Step replacedAt(Position earliest) {
    new GapSkip(env, claimed).insertAlive(earliest);
    childrenStored = true;
    return readOut();
  }

  private ChangeSourceException malformed(String what) {
    return new ChangeSourceException(
        Kind.MALFORMED, "%s (partition %s)".formatted(what, name()), null);
  }

  private String name() {
    return TokenName.of(claimed.token());
  }

  private long nanos() {
    return env.options().time().nanos();
  }

  /** Treats changes that were not acknowledged in time as the options say, once each. */
  void checkOverdue() {
    long limit = nanos() - env.options().ackTimeout().toNanos();
    unacked.keySet().removeIf(entry -> !deque.isOpen(entry));
    for (Entry entry : deque.overdue(limit)) {
      env.counters().overdue.increment();
      switch (env.options().onAckTimeout()) {
        case WARN -> Log.overdue(name(), env.options().ackTimeout());
        case REDELIVER -> redeliver(entry);
        case FAIL ->
            env.failures()
                .accept(
                    new ChangeReaderException(
                        "A change of partition %s was not acknowledged within %s"
                            .formatted(name(), env.options().ackTimeout()),
                        null));
      }
    }
  }

  private void redeliver(Entry entry) {
    PendingDelivery delivery = unacked.get(entry);
    if (delivery != null) {
      env.counters().redeliveries.increment();
      env.outlet().again(delivery);
    }
  }

  /** Whether everything was read and acknowledged. */
  boolean isDone() {
    return readOut && deque.isEmpty();
  }

  /** Whether everything was read, acknowledged or not. */
  boolean isReadOut() {
    return readOut;
  }

  /** Finishes the partition; {@code resumes} are stored with it. */
  void finish(Map<PartitionRow, ResumePoint> resumes) {
    env.run().finish(claimed, resumes);
    finished = true;
    close();
  }

  /** Whether the partition was finished. */
  public boolean isFinished() {
    return finished;
  }

  /** Whether no step does anything any more. */
  public boolean isClosed() {
    return closed;
  }

  /** The resume point, if it is another than the one stored last. */
  Optional<ResumePoint> unstored() {
    ResumePoint now = deque.resume();
    return closed || now.equals(stored) ? Optional.empty() : Optional.of(now);
  }

  /** Notes that {@code resume} has been stored. */
  void stored(ResumePoint resume) {
    stored = resume;
  }

  /** Up to where the partition has been read. */
  Frontier readFrontier() {
    return read.frontier();
  }

  /** Up to where the partition has been acknowledged. */
  Frontier ackFrontier() {
    Frontier acked = deque.acked();
    return readOut && deque.isEmpty() ? read.frontier() : acked;
  }

  /** The row as it was claimed. */
  public PartitionRow claimed() {
    return claimed;
  }

  /** What is in flight. */
  AckDeque deque() {
    return deque;
  }

  /** Ends reading. Acknowledgements that come later have no effect. */
  void close() {
    closed = true;
    deque.close();
    closeCursor();
    env.outlet().forget(claimed.token());
    if (!finished) {
      env.outlet().lost();
    }
    unacked.clear();
  }

  /** Cancels the open query, if there is one; the next step opens another. */
  void closeCursor() {
    ChangeSource.Cursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }
}
