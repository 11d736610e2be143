package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.JobInfo;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.LoaderOptions;
import dev.tidemark.loader.LoaderStatistics;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.MessageInfo;
import dev.tidemark.loader.MessageSource;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.loader.Warehouse;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Runs of one loader, one at a time. */
public final class LoadEngine implements AutoCloseable {
  private final Parts parts;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  // Guarded by lock.
  private @Nullable LoadRun running;
  private boolean closed;

  /** An engine of these parts, which stay their owner's. */
  public LoadEngine(
      MessageSource source,
      Warehouse warehouse,
      Mapping mapping,
      DeadLetters letters,
      LoaderOptions options) {
    parts = new Parts(source, warehouse, mapping, letters, options, new Ids(), new Counters());
  }

  /**
   * Runs in this thread.
   *
   * @throws IllegalStateException if a run is under way, also one of another loader that moves the
   *     same position, or the loader is closed
   */
  public LoadResult run(RunMode mode, @Nullable TimeBudget budget) {
    LoadRun run = begin(mode, budget);
    try {
      return parts.source().inOrder() ? alone(run) : run.run();
    } finally {
      lock.lock();
      try {
        running = null;
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Runs while nobody else in this process moves the position of the source. */
  @SuppressWarnings("try") // held while the run lasts, without being named
  private LoadResult alone(LoadRun run) {
    String name = parts.source().name();
    try (Filling filling =
        Filling.begin(
            parts.warehouse(),
            name,
            "A run from %s into table '%s'".formatted(name, parts.mapping().table().name()))) {
      return run.run();
    }
  }

  private LoadRun begin(RunMode mode, @Nullable TimeBudget budget) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("The loader of " + parts.source().name() + " is closed");
      }
      if (running != null) {
        throw new IllegalStateException(
            "A run of the loader of %s is under way; a loader runs once at a time"
                .formatted(parts.source().name()));
      }
      LoadRun run = new LoadRun(parts, mode, budget);
      running = run;
      return run;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a run is under way. */
  public boolean isRunning() {
    lock.lock();
    try {
      return running != null;
    } finally {
      lock.unlock();
    }
  }

  /** The deliveries that the run under way is responsible for. */
  public List<MessageInfo> messages() {
    LoadRun run = current();
    return run == null ? List.of() : run.messages();
  }

  /** The last jobs of the run under way, or of the last one. */
  public List<JobInfo> jobs() {
    return parts.counters().jobs();
  }

  /** What was done since the loader was opened. */
  public LoaderStatistics statistics() {
    LoadRun run = current();
    int buffered = run == null ? 0 : run.buffered();
    int open = run == null ? 0 : run.open();
    return parts.counters().statistics(buffered, Math.max(0, open - buffered));
  }

  private @Nullable LoadRun current() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the run under way, if any, and waits for its end. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (running != null) {
        running.stop();
      }
      while (running != null) {
        ended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
