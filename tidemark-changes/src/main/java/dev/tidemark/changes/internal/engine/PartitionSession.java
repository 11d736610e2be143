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
import dev.tidemark.changes.internal.partition.FencedException;
import dev.tidemark.changes.internal.partition.TokenName;
import dev.tidemark.changes.internal.watermark.Frontier;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One claimed partition while this process reads it.
 *
 * <p>Steps are taken by one thread. A partition counts as read to its end only with evidence: its
 * child records were stored, or the source says that the run's end was reached. Any other end of a
 * query leads to another query from the last record.
 *
 * <p>Here is what a partition goes through, from its claim to its end. When a query is opened,
 * given up and tried again is in {@link Queries}, how its changes get to the program in {@link
 * Intake}, and what becomes of those that are not acknowledged in time in {@link Overdue}.
 */
public final class PartitionSession {
  private final Environment env;
  private final PartitionRow claimed;
  private final boolean isRoot;
  private final AckDeque deque;
  private final ReadState read;
  private final Queries queries;
  private final Overdue overdue;
  private final Intake intake;

  // Used by the stepping thread alone.
  private @Nullable Waiting waitingChildren;
  private boolean running;
  private boolean childrenStored;

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
    this.queries = new Queries(env, claimed, read);
    this.overdue = new Overdue(env, TokenName.of(claimed.token()), deque);
    this.intake = new Intake(env, claimed, read, deque, overdue);
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
      queries.end();
      return closed ? new Step.Closed() : queries.retry(failure);
    } catch (InterruptedOperationException closing) {
      queries.end();
      throw closing;
    } catch (DatabaseException failure) {
      // What was read and not noted is read again.
      queries.end();
      return queries.retry(failure);
    }
  }

  private Step advance(Duration wait) throws InterruptedException {
    try {
      return read(wait);
    } catch (ChangeSourceException failure) {
      if (closed || failure.kind() != Kind.TOO_OLD || failure.earliest().isEmpty()) {
        throw failure;
      }
      queries.end();
      return afterGap(failure, failure.earliest().get());
    }
  }

  private Step read(Duration wait) throws InterruptedException {
    if (waitingChildren != null) {
      storeChildren(waitingChildren);
      return new Step.Read(1);
    }
    if (intake.isFull() && !mustGoOn()) {
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
    ChangeSource.Cursor from = queries.current();
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
      case Next.Idle() -> queries.idle();
      case Next.Ended(ChangeSource.End end) -> ended(end);
    };
  }

  /** A change, and those that are ready behind it as far as there is room. */
  private Step tookChanges(DataChange first, int firstBytes, ChangeSource.Cursor from)
      throws InterruptedException {
    long now = queries.heard();
    beginsToRun();
    Next next = new Next.Item(first, firstBytes);
    Intake.Together together = intake.begin();
    try {
      while (next instanceof Next.Item(DataChange change, int bytes)) {
        checkMayCome();
        together.take(change, bytes);
        next = together.mayGrow() && from.isReady() ? from.next(Duration.ZERO) : null;
      }
    } finally {
      if (together.handOver()) {
        queries.gaveSomethingNew();
      }
    }
    if (next == null) {
      queries.endIfOld(now);
      return new Step.Read(together.size());
    }
    return took(next);
  }

  private void checkMayCome() {
    if (isRoot) {
      throw malformed("The query of the root returned a change");
    }
    if (childrenStored) {
      throw malformed("A change followed the child record");
    }
  }

  /** Notes that nothing is read now, which is no silence of the source. */
  void holdBack() {
    queries.heard();
  }

  /**
   * Whether all would wait for ever if this one did: it holds everybody else up, and the program
   * has nothing of it to do that would make room.
   */
  private boolean mustGoOn() {
    return env.options().order().isGlobal() && !deque.hasReleased() && env.isSlowest().test(this);
  }

  private Step took(ChangeRecord record) {
    long now = queries.heard();
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
      queries.gaveSomethingNew();
    }
    queries.endIfOld(now);
    return new Step.Read(1);
  }

  private void beginsToRun() {
    if (!running) {
      env.run().running(claimed);
      running = true;
    }
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
    queries.succeeded();
    deque.ack(List.of(waiting.entry()));
  }

  private Step ended(ChangeSource.End end) {
    queries.end();
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
      case BROKEN_OFF -> queries.brokenOff();
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
      return queries.retry(failure);
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
    overdue.check();
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
    queries.close();
    env.outlet().forget(claimed.token());
    if (!finished) {
      env.outlet().lost();
    }
    overdue.clear();
  }

  /** Cancels the open query, if there is one; the next step opens another. */
  void closeCursor() {
    queries.end();
  }
}
