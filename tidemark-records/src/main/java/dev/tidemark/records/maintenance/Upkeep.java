package dev.tidemark.records.maintenance;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.changes.LogRetention;
import dev.tidemark.records.internal.work.Rounds;
import dev.tidemark.records.schema.RecordType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Maintains a record space in the background while it is open: deletes expired records, removes
 * changes beyond the retention of their change stream, and refreshes stale statistics.
 *
 * <p>One virtual thread does the work in short transactions, one task at a time. A failure is
 * reported to the listener, and the task is retried with backoff. Several programs may maintain the
 * same space; each does what the others have left. Close it before the database.
 */
public final class Upkeep implements AutoCloseable {
  private final RecordSpace space;
  private final UpkeepOptions options;
  private final Sweeper sweeper;
  private final Rounds rounds;

  private Upkeep(RecordSpace space, UpkeepOptions options) {
    this.space = space;
    this.options = options;
    this.sweeper = new Sweeper(space, options.sweptPerTransaction());
    List<Rounds.Task> tasks = new ArrayList<>();
    boolean expires = space.schema().types().stream().anyMatch(Upkeep::expires);
    if (expires) {
      options.sweepEvery().ifPresent(every -> tasks.add(task(every, UpkeepEvent.Work.SWEEP)));
    }
    options.sweepEvery().ifPresent(every -> tasks.add(task(every, UpkeepEvent.Work.CHANGES)));
    options.refreshEvery().ifPresent(every -> tasks.add(task(every, UpkeepEvent.Work.STATISTICS)));
    this.rounds = Rounds.start(space.database().time(), tasks, "records-upkeep");
  }

  /** Starts to maintain {@code space}. The caller closes it. */
  public static Upkeep of(RecordSpace space, UnaryOperator<UpkeepOptions> change) {
    return new Upkeep(space, change.apply(UpkeepOptions.DEFAULTS));
  }

  /** Starts to maintain {@code space} with default options. */
  public static Upkeep of(RecordSpace space) {
    return of(space, options -> options);
  }

  private static boolean expires(RecordType<?> type) {
    return type.spec().expiry().isPresent();
  }

  private Rounds.Task task(Duration every, UpkeepEvent.Work work) {
    return new Rounds.Task(
        every,
        options.pauseMax(),
        turn -> take(work, turn),
        (failure, pause) -> tellFailure(new UpkeepEvent.Failed(work, failure, pause)));
  }

  /** A listener that throws does not end the thread. */
  private void tellFailure(UpkeepEvent.Failed event) {
    try {
      options.listener().accept(event);
    } catch (RuntimeException | Error broken) {
      UpkeepOptions.log(event);
    }
  }

  private boolean take(UpkeepEvent.Work work, Rounds running) {
    TimeSource time = space.database().time();
    long deadline = time.nanos() + TimeUnit.NANOSECONDS.convert(options.timePerTurn());
    BooleanSupplier over = () -> running.isClosed() || time.nanos() - deadline >= 0;
    return switch (work) {
      case SWEEP -> {
        UpkeepEvent.Swept swept = sweeper.turn(over);
        options.listener().accept(swept);
        yield swept.complete();
      }
      case CHANGES -> {
        int streams = new LogRetention(Bridge.internals(space)).trim();
        if (streams > 0) {
          options.listener().accept(new UpkeepEvent.Trimmed(streams));
        }
        yield true;
      }
      case STATISTICS -> {
        UpkeepEvent.Refreshed refreshed = new RefreshTurn(space, options.statistics(), over).run();
        options.listener().accept(refreshed);
        yield refreshed.complete();
      }
    };
  }

  /**
   * Interrupts the running task and waits until it has ended, for at most ten seconds. Idempotent;
   * from any thread. It does not wait if the listener calls it, and no longer if the caller is
   * interrupted, whose interrupt status stays set. One transaction, or the listener, may then still
   * be running; nothing starts after it.
   */
  @Override
  public void close() {
    rounds.close();
  }
}
