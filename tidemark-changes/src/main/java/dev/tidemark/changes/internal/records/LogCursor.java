package dev.tidemark.changes.internal.records;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.End;
import dev.tidemark.changes.ChangeSource.Next;
import dev.tidemark.changes.Position;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.PartitionEnd;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the log, batch by batch. After the last committed change it gives a heartbeat at
 * the version that was read, and another one each interval while nothing comes.
 */
final class LogCursor implements ChangeSource.Cursor {
  private static final int CHANGES_MAX = 1_000;
  private static final int BYTES_MAX = 1 << 20;

  private final LogAccess log;
  private final Function<DataChange, dev.tidemark.changes.DataChange> translation;
  private final String token;
  private final @Nullable ChangePosition until;
  private final Duration heartbeat;
  private final ArrayDeque<DataChange> changes = new ArrayDeque<>();
  private ChangePosition position;
  private @Nullable PartitionEnd end;
  private boolean caughtUp;
  private boolean beatDue;
  private boolean childrenGiven;

  /** The round in which the log was read to its end; -1 for never. */
  private long readRound = -1;

  private long beatNanos;
  private final AtomicBoolean closed = new AtomicBoolean();

  LogCursor(
      LogAccess log,
      String token,
      ChangePosition from,
      @Nullable ChangePosition until,
      Duration heartbeat) {
    this.log = log;
    this.translation = log.translation();
    this.token = token;
    this.position = from;
    this.until = until;
    this.heartbeat = heartbeat;
    this.beatNanos = log.nanos();
    log.signal().join();
  }

  @Override
  public Next next(Duration wait) throws InterruptedException {
    // Of many changes that were read at once, each needs neither the clock nor the signal.
    DataChange change = closed.get() ? null : changes.pollFirst();
    return change == null ? awaited(wait) : given(change);
  }

  @Override
  public boolean isReady() {
    return !closed.get() && !changes.isEmpty();
  }

  private Next awaited(Duration wait) throws InterruptedException {
    long deadline = log.nanos() + wait.toNanos();
    while (true) {
      long round = log.signal().round();
      Next next = closed.get() ? new Next.Ended(End.BROKEN_OFF) : buffered();
      if (next == null && (readRound != round || isLate())) {
        read();
        readRound = caughtUp ? round : -1;
        next = buffered();
      }
      if (next != null) {
        return next;
      }
      long left = deadline - log.nanos();
      if (left <= 0) {
        return new Next.Idle();
      }
      log.signal().await(round, Duration.ofNanos(Math.min(left, untilBeat())));
    }
  }

  private boolean isLate() {
    return log.nanos() - beatNanos >= heartbeat.toNanos();
  }

  private long untilBeat() {
    return Math.max(1_000_000, heartbeat.toNanos() - (log.nanos() - beatNanos));
  }

  /** What can be given without another read. */
  private @Nullable Next buffered() {
    DataChange change = changes.pollFirst();
    if (change != null) {
      return given(change);
    }
    if (end != null && !isBehindUntil(end.position())) {
      return childrenOrOver(end);
    }
    if (until != null && position.compareTo(until) >= 0) {
      return new Next.Ended(End.REACHED_UNTIL);
    }
    return caughtUp ? beat() : null;
  }

  private Next given(DataChange change) {
    if (isBehindUntil(change.position())) {
      changes.clear();
      return new Next.Ended(End.REACHED_UNTIL);
    }
    beatDue = true;
    return new Next.Item(log.translated(translation, change), change.bytes());
  }

  private boolean isBehindUntil(ChangePosition other) {
    return until != null && other.compareTo(until) > 0;
  }

  private Next childrenOrOver(PartitionEnd over) {
    if (childrenGiven) {
      return new Next.Ended(End.PARTITION_OVER);
    }
    childrenGiven = true;
    return new Next.Item(log.children(over), 0);
  }

  /** A heartbeat behind the last change, and when nothing was given for an interval. */
  private @Nullable Next beat() {
    boolean late = isLate();
    if (!beatDue && !late) {
      return null;
    }
    if (late && !beatDue) {
      log.tickIfIdle(position, heartbeat);
    }
    caughtUp = false;
    beatDue = false;
    beatNanos = log.nanos();
    Position at = log.position(position);
    return new Next.Item(new ChangeRecord.Heartbeat(at, log.timeOf(position)), 0);
  }

  private void read() {
    ChangeBatch batch = log.read(token, position, CHANGES_MAX, BYTES_MAX);
    changes.addAll(batch.changes());
    position = batch.position();
    end = batch.end().orElse(null);
    caughtUp = batch.caughtUp();
  }

  @Override
  public void close() {
    // Several threads may close it, and a signal that is left twice wakes nobody any more.
    if (closed.compareAndSet(false, true)) {
      log.signal().leave();
      log.signal().fire();
    }
  }
}
