package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.End;
import dev.tidemark.changes.ChangeSource.Next;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One query. A virtual thread of its own waits for Spanner, because the client's calls cannot be
 * given a time; it stops reading while the buffer is full. Closing interrupts it, which cancels the
 * call.
 */
final class SpannerCursor implements ChangeSource.Cursor {
  private static final int BUFFERED_MAX = 256;

  private final String token;
  private final Supplier<ResultSet> query;
  private final Function<SpannerException, ChangeSourceException> failures;
  private final End endOfRows;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread pump;

  // Guarded by lock.
  private ArrayDeque<ChangeRecord> buffer = new ArrayDeque<>();
  private @Nullable End end;
  private @Nullable Throwable failure;

  /** Written under the lock. */
  private volatile boolean closed;

  /** Taken out of the buffer all at once. Used by the reading thread alone. */
  private ArrayDeque<ChangeRecord> taken = new ArrayDeque<>();

  // Used by the pump alone.
  private boolean childrenSeen;

  SpannerCursor(
      String token,
      Supplier<ResultSet> query,
      Function<SpannerException, ChangeSourceException> failures,
      End endOfRows,
      TimeSource time) {
    this.token = token;
    this.query = query;
    this.failures = failures;
    this.endOfRows = endOfRows;
    this.time = time;
    this.pump = Thread.ofVirtual().name("spanner-changes").start(this::pump);
  }

  private void pump() {
    Rows decoder = new Rows(token);
    try (ResultSet rows = query.get()) {
      while (rows.next()) {
        for (ChangeRecord record : decoder.decode(rows)) {
          childrenSeen |= record instanceof ChangeRecord.ChildPartitions;
          put(record);
        }
      }
      ended(childrenSeen ? End.PARTITION_OVER : endOfRows, null);
    } catch (SpannerException refused) {
      ended(null, translated(refused));
    } catch (InterruptedException closing) {
      ended(End.BROKEN_OFF, null);
    } catch (Throwable other) {
      ended(null, other);
    }
  }

  private Throwable translated(SpannerException refused) {
    if (closed) {
      return refused;
    }
    try {
      return failures.apply(refused);
    } catch (RuntimeException second) {
      second.addSuppressed(refused);
      return second;
    }
  }

  private void put(ChangeRecord record) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (buffer.size() >= BUFFERED_MAX && !closed) {
        changed.await();
      }
      buffer.addLast(record);
      if (buffer.size() == 1) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void ended(@Nullable End reason, @Nullable Throwable thrown) {
    lock.lock();
    try {
      end = reason;
      failure = thrown;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isReady() {
    return !closed && !taken.isEmpty();
  }

  @Override
  public Next next(Duration wait) throws InterruptedException {
    ChangeRecord ready = closed ? null : taken.pollFirst();
    return ready == null ? awaited(wait) : item(ready);
  }

  private static Next item(ChangeRecord record) {
    return new Next.Item(record, SpannerChangeSource.bytes(record));
  }

  private Next awaited(Duration wait) throws InterruptedException {
    long deadline = time.nanos() + wait.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          return new Next.Ended(End.BROKEN_OFF);
        }
        if (!buffer.isEmpty()) {
          return item(takeAll());
        }
        throwFailure();
        if (end != null) {
          return new Next.Ended(end);
        }
        long left = deadline - time.nanos();
        if (left <= 0) {
          return new Next.Idle();
        }
        boolean inTime = changed.await(left, TimeUnit.NANOSECONDS);
        if (!inTime) {
          deadline = time.nanos();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the buffer, which has something; the first of it. */
  private ChangeRecord takeAll() {
    ArrayDeque<ChangeRecord> empty = taken;
    taken = buffer;
    buffer = empty;
    changed.signalAll();
    return taken.removeFirst();
  }

  private void throwFailure() {
    switch (failure) {
      case null -> {}
      case RuntimeException known -> throw known;
      case Error fatal -> throw fatal;
      default -> throw new IllegalStateException("A query failed", failure);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      buffer.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    pump.interrupt();
  }
}
