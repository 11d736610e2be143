package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeReaderException;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.internal.partition.TokenName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queries of one claimed partition, one after the other: each begins at the last record of the
 * one before it. A query is given up when its source says nothing for too long, when it has gone on
 * for its time, and after failures; when to give the partition up is decided here too.
 *
 * <p>Used by the thread that takes the steps; any thread may end the open query.
 */
final class Queries {
  private static final int STALLS_MAX = 5;

  private final Environment env;
  private final PartitionRow claimed;
  private final ReadState read;
  private final Attempts attempts;

  // Used by the stepping thread alone.
  private boolean progress = true;
  private int stalls;
  private long openedNanos;
  private long heardNanos;

  private volatile ChangeSource.@Nullable Cursor cursor;
  private volatile boolean closed;

  Queries(Environment env, PartitionRow claimed, ReadState read) {
    this.env = env;
    this.claimed = claimed;
    this.read = read;
    this.attempts = new Attempts(env.options().retry(), env.chance());
  }

  /** The open query, or a new one from the last record on. */
  ChangeSource.Cursor current() {
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
        end();
      }
    }
    return open;
  }

  /** Notes a sign of life of the source, or that nothing is asked of it; returns the time. */
  long heard() {
    heardNanos = nanos();
    return heardNanos;
  }

  /** Notes that something was read that had not been read before. */
  void gaveSomethingNew() {
    progress = true;
    stalls = 0;
    attempts.succeeded();
  }

  /** Notes that what failed before has worked. */
  void succeeded() {
    attempts.succeeded();
  }

  /** The source had nothing. */
  Step idle() {
    Duration silence = Duration.ofNanos(nanos() - heardNanos);
    Duration patience = env.options().heartbeat().multipliedBy(env.options().missedHeartbeats());
    if (silence.compareTo(patience) > 0) {
      env.counters().silent.increment();
      end();
      return retry(
          new ChangeSourceException(
              Kind.UNAVAILABLE,
              "Partition %s gave no sign of life for %s".formatted(name(), silence),
              null));
    }
    endIfOld(nanos());
    return new Step.Idle();
  }

  /** Ends a query that has gone on for its time. */
  void endIfOld(long now) {
    if (now - openedNanos > env.options().softTimeout().toNanos()) {
      end();
    }
  }

  /** The query has ended, which is no end of the partition. */
  Step brokenOff() {
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

  /** The pause before another query, after {@code failure}. */
  Step retry(RuntimeException failure) {
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

  /** Ends the open query, if there is one; {@link #current} opens another. */
  void end() {
    ChangeSource.Cursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }

  /** Ends the open query, and any that is opened from now on. */
  void close() {
    closed = true;
    end();
  }

  private String name() {
    return TokenName.of(claimed.token());
  }

  private long nanos() {
    return env.options().time().nanos();
  }
}
