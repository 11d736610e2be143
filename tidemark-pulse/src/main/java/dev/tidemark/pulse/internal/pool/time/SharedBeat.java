package dev.tidemark.pulse.internal.pool.time;

import dev.tidemark.coordination.BoundedCall;
import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.BeatRow;
import dev.tidemark.pulse.internal.pool.rows.Dispatching;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One node's part in a beat that nodes share. */
final class SharedBeat implements AutoCloseable {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A wake-up that is lost costs so much. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

  private static final Duration LEAST_CALL = Duration.ofMillis(250);

  private final PoolCore core;
  private final Tuple row;
  private final Duration interval;
  private final Semaphore signal = new Semaphore(0);
  private final RowStore.Listening listening;
  private volatile boolean ended;

  /**
   * Joins the beat of {@code row}.
   *
   * @param atOnce whether the first beat of a new one is now; otherwise it is after an interval
   */
  SharedBeat(PoolCore core, Tuple row, Duration interval, boolean atOnce) {
    this.core = core;
    this.row = row;
    this.interval = interval;
    long now = core.now();
    long millis = interval.toMillis();
    core.rows()
        .transact(
            rows -> {
              Dispatching.checkOpen(rows);
              BeatRow.join(rows, row, millis, atOnce ? now : now + millis, now);
              return now;
            });
    this.listening = core.rows().onWake(PoolKeys.POOL_CHANNEL, hint -> signal.release());
  }

  boolean isEnded() {
    return ended;
  }

  /**
   * Waits for a beat from now on that falls to this node; past beats are dropped. Calls of the
   * store that are under way when the time is over are abandoned.
   */
  OptionalLong awaitFresh(Duration timeout) {
    long end = core.nanos() + TimeUnit.NANOSECONDS.convert(timeout);
    Optional<Long> since = bounded(end, core::now);
    return since.isEmpty()
        ? OptionalLong.empty()
        : await(end, () -> bounded(end, () -> look(since.get())));
  }

  /** Waits for a beat that this node may take. A past beat that no node took counts too. */
  OptionalLong awaitAny(Duration timeout) {
    long end = core.nanos() + TimeUnit.NANOSECONDS.convert(timeout);
    return await(end, () -> Optional.of(look(Long.MIN_VALUE)));
  }

  /** A short timeout, too, is enough to ask the store once. */
  private <T> Optional<T> bounded(long end, Supplier<T> call) {
    return BoundedCall.within(
        Duration.ofNanos(Math.max(end - core.nanos(), LEAST_CALL.toNanos())), call);
  }

  /** What a look at the beat found: it is this node's, or how long it is until then. */
  private record Look(OptionalLong taken, Duration left) {
    static Look in(Duration left) {
      return new Look(OptionalLong.empty(), left);
    }
  }

  private OptionalLong await(long end, Supplier<Optional<Look>> look) {
    while (!ended) {
      Look found = safely(look);
      if (found.taken().isPresent() || core.nanos() - end >= 0) {
        return found.taken();
      }
      pause(found.left(), Duration.ofNanos(end - core.nanos()));
    }
    return OptionalLong.empty();
  }

  private Look safely(Supplier<Optional<Look>> look) {
    try {
      return look.get().orElseGet(() -> Look.in(afterFailure()));
    } catch (InterruptedOperationException interrupt) {
      throw interrupt;
    } catch (RuntimeException | Error failure) {
      if (!ended) {
        core.report("The beat of %s cannot be moved on; it is tried again".formatted(row), failure);
      }
      return Look.in(afterFailure());
    }
  }

  private Look look(long since) {
    Optional<BeatRow> beat = core.rows().read(rows -> BeatRow.read(rows, row));
    if (beat.isEmpty()) {
      ended = true;
      return Look.in(Duration.ZERO);
    }
    long next = beat.get().atOrAfter(since);
    long now = core.now();
    if (next > now) {
      return Look.in(Duration.ofMillis(next - now));
    }
    return take(since == Long.MIN_VALUE ? now : next)
        ? new Look(OptionalLong.of(next), Duration.ZERO)
        : Look.in(Duration.ZERO);
  }

  private boolean take(long time) {
    return core.rows().transact(rows -> BeatRow.take(rows, row, time));
  }

  /** Without the store it cannot be told which node a beat falls to, so it is dropped. */
  private Duration afterFailure() {
    return interval.compareTo(LONGEST_PAUSE) < 0 ? interval : LONGEST_PAUSE;
  }

  private void pause(Duration wanted, Duration left) {
    Duration shorter = wanted.compareTo(left) < 0 ? wanted : left;
    Duration wait = shorter.compareTo(LOOK_EVERY) < 0 ? shorter : LOOK_EVERY;
    try {
      boolean woken = signal.tryAcquire(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
      if (woken) {
        signal.drainPermits();
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for a tick", interrupt);
    }
  }

  /** Ends the beat on all nodes. */
  void stop() {
    core.rows()
        .transact(
            rows -> {
              BeatRow.end(rows, row);
              return row;
            });
    close();
  }

  /** Ends it on this node. */
  @Override
  public void close() {
    ended = true;
    listening.close();
    signal.release();
  }
}
