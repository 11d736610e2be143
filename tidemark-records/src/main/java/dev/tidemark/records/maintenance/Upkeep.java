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
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Does what a record space needs now and then, while it is open: deletes records that have expired,
 * removes changes that are older than the retention of their change stream, and renews statistics
 * that are stale.
 *
 * <p>All of it is done by one virtual thread in short transactions, one thing at a time. What fails
 * is told to the listener and tried again after a pause that grows. Several programs may keep up
 * the same space: they find little to do where another one has been. Close it before the database.
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
    if (expires && !options.sweepEvery().isZero()) {
      tasks.add(task(options.sweepEvery(), UpkeepEvent.Work.SWEEP));
    }
    if (!options.sweepEvery().isZero()) {
      tasks.add(task(options.sweepEvery(), UpkeepEvent.Work.CHANGES));
    }
    if (!options.refreshEvery().isZero()) {
      tasks.add(task(options.refreshEvery(), UpkeepEvent.Work.STATISTICS));
    }
    this.rounds = Rounds.start(space.database().time(), tasks, "records-upkeep");
  }

  /** Begins to keep up {@code space}. The caller closes it. */
  public static Upkeep of(RecordSpace space, UnaryOperator<UpkeepOptions> change) {
    return new Upkeep(space, change.apply(UpkeepOptions.DEFAULTS));
  }

  /** Begins to keep up {@code space} with default options. */
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

  /** A listener that throws ends nothing but its own work. */
  private void tellFailure(UpkeepEvent.Failed event) {
    try {
      options.listener().accept(event);
    } catch (RuntimeException | Error broken) {
      UpkeepOptions.log(event);
    }
  }

  private boolean take(UpkeepEvent.Work work, Rounds running) {
    TimeSource time = space.database().time();
    long deadline = time.nanos() + options.timePerTurn().toNanos();
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
   * Interrupts what is being done, and waits until it has ended. From any thread, and more than
   * once; called by the listener it does not wait. It waits ten seconds at most, and no longer if
   * the caller is interrupted, who stays so. One transaction, or the listener, may then still be
   * under way; it may commit or fail, and nothing is begun after it.
   */
  @Override
  public void close() {
    rounds.close();
  }
}
