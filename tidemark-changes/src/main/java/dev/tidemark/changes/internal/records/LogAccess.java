package dev.tidemark.changes.internal.records;

import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.Position;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.records.changes.ChangeBatch;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.ChangesExpiredException;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.PartitionEnd;
import dev.tidemark.records.changes.StreamGoneException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** A change log in the words of a change source. */
public final class LogAccess {
  private final Database database;
  private final ChangeLog log;
  private final CommitTimes times;
  private final LogSignal signal;
  private final Supplier<Function<DataChange, dev.tidemark.changes.DataChange>> translations;
  private final AtomicLong tickedNanos;
  private volatile boolean mayTick = true;

  /**
   * Access to {@code log}. Each cursor has a translation of its own, used by one thread.
   *
   * @param listener hears of commits to this log, and maybe to others of its database
   * @param tickedNanos when an idle database was last moved on, for all that share it
   */
  public LogAccess(
      Database database,
      ChangeLog log,
      CommitTimes times,
      LogListener listener,
      AtomicLong tickedNanos,
      Supplier<Function<DataChange, dev.tidemark.changes.DataChange>> translations) {
    this.database = database;
    this.log = log;
    this.times = times;
    this.translations = translations;
    this.signal = new LogSignal(log, listener);
    this.tickedNanos = tickedNanos;
  }

  /** Opens a cursor. */
  public ChangeSource.Cursor open(ChangeSource.Query query) {
    ChangePosition from = position(query.from());
    if (query.token().equals(ChangeSource.ROOT)) {
      return new RootCursor(partitionsAt(from));
    }
    return new LogCursor(
        this,
        query.token(),
        from,
        query.until().map(this::position).orElse(null),
        query.heartbeat());
  }

  private ChangeRecord.ChildPartitions partitionsAt(ChangePosition from) {
    return translated(
        () ->
            new ChangeRecord.ChildPartitions(
                position(from),
                times.of(from.version()),
                "",
                log.partitionsAt(from).stream()
                    .map(each -> new ChangeRecord.Child(each.token(), List.of()))
                    .toList()));
  }

  ChangeBatch read(String token, ChangePosition from, int changes, int bytes) {
    return translated(() -> log.read(token, from, changes, bytes));
  }

  Function<DataChange, dev.tidemark.changes.DataChange> translation() {
    return translations.get();
  }

  ChangeRecord.ChildPartitions children(PartitionEnd end) {
    return new ChangeRecord.ChildPartitions(
        position(end.position()),
        timeOf(end.position()),
        "",
        end.children().stream()
            .map(child -> new ChangeRecord.Child(child.token(), child.parents()))
            .toList());
  }

  /** Commits something if no version has moved on since {@code seen}, once for all cursors. */
  void tickIfIdle(ChangePosition seen, Duration interval) {
    long last = tickedNanos.get();
    long now = nanos();
    if (mayTick && now - last >= interval.toNanos() && tickedNanos.compareAndSet(last, now)) {
      translated(
          () -> {
            if (log.now().compareTo(seen) <= 0) {
              tick();
            }
            return true;
          });
    }
  }

  /** A client with read-only access is refused, and leaves this to others from then on. */
  private void tick() {
    try {
      log.tick();
    } catch (UsageException refused) {
      mayTick = false;
    }
  }

  /** What {@code call} returns; failures of the log in the words of a source. */
  public <T> T translated(Supplier<T> call) {
    return translated(Supplier::get, call);
  }

  /** What {@code call} makes of {@code of}; failures of the log in the words of a source. */
  <A, T> T translated(Function<? super A, T> call, A of) {
    try {
      return call.apply(of);
    } catch (ChangesExpiredException expired) {
      throw ChangeSourceException.tooOld(
          position(expired.earliest()), String.valueOf(expired.getMessage()));
    } catch (StreamGoneException gone) {
      throw new ChangeSourceException(Kind.GONE, String.valueOf(gone.getMessage()), gone);
    } catch (ChangeLogException refused) {
      throw new ChangeSourceException(
          Kind.INVALID_ARGUMENT, String.valueOf(refused.getMessage()), refused);
    } catch (InterruptedOperationException closing) {
      throw closing;
    } catch (DatabaseException failure) {
      Kind kind = failure.retryable() ? Kind.UNAVAILABLE : Kind.MALFORMED;
      throw new ChangeSourceException(kind, String.valueOf(failure.getMessage()), failure);
    }
  }

  /** A position of the log. */
  public ChangePosition position(Position position) {
    try {
      return ChangePosition.fromBytes(position.toByteArray());
    } catch (IllegalArgumentException foreign) {
      throw new ChangeSourceException(
          Kind.INVALID_ARGUMENT,
          "Position " + position + " is not of a record store; " + foreign.getMessage(),
          foreign);
    }
  }

  /** A position of the source. */
  public Position position(ChangePosition position) {
    return Position.of(position.toByteArray());
  }

  /** The time of a position. */
  public Instant timeOf(ChangePosition position) {
    return translated(() -> times.of(position.version()));
  }

  long nanos() {
    return database.time().nanos();
  }

  LogSignal signal() {
    return signal;
  }
}
