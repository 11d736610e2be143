package dev.tidemark.pulse.internal.pool.member;

import dev.tidemark.coordination.Loop;
import dev.tidemark.coordination.Rows;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.internal.pool.rows.JobTable;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What the workers of a node tell the store about their jobs, gathered: while one transaction is
 * under way the next fills up. Reports are carried out in the order in which they came.
 */
public final class JobReports implements AutoCloseable {
  private static final int GATHERED_MAX = 256;
  private static final int WAITING_MAX = 4_096;
  private static final Duration PAUSE_MIN = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
  private static final int PAUSE_DOUBLINGS = 5;

  private final PoolCore core;
  private final BlockingQueue<Report> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Runnable giveUp;
  private final Thread thread;
  private volatile boolean closed;

  /** The work in progress. Used by the worker thread, and by the thread that ended it. */
  private final List<Report> batch = new CopyOnWriteArrayList<>();

  /** A transition of an owner; whether its claim held. */
  @FunctionalInterface
  public interface Transition {
    boolean apply(Rows rows, long now);
  }

  private record Report(String key, Transition transition, Consumer<Boolean> then) {}

  /**
   * Begins to carry out what comes.
   *
   * @param giveUp gives up the lease of the node, whose jobs others can finish
   */
  JobReports(PoolCore core, String node, Runnable giveUp) {
    this.core = core;
    this.giveUp = giveUp;
    this.thread =
        Thread.ofVirtual()
            .name("pulse-reports-" + node)
            .start(new Loop(core.backend().time(), () -> closed, this::carryOut, this::failed));
  }

  /** Has {@code transition} carried out soon; {@code then} learns whether the claim held. */
  public void add(String key, Transition transition, Consumer<Boolean> then) {
    try {
      waiting.put(new Report(key, transition, then));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while reporting on a job", interrupt);
    }
  }

  /** Carries {@code transition} out; whether the claim held. */
  public boolean await(String key, Transition transition) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    add(key, transition, done::complete);
    try {
      return done.get(core.options().drainTime().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while reporting on a job", interrupt);
    } catch (ExecutionException | TimeoutException failure) {
      throw new PoolException("The store did not take the report on the job " + key, failure);
    }
  }

  /**
   * One round: goes on with the same reports until the store takes them. To the pool a job whose
   * report was given up would run on this node as long as that lives. Should the lease end
   * meanwhile, the claims no longer hold.
   */
  private void carryOut() throws InterruptedException {
    if (batch.isEmpty()) {
      batch.add(waiting.take());
      waiting.drainTo(batch, GATHERED_MAX - 1);
    }
    try {
      commit(batch);
    } catch (InterruptedOperationException interrupt) {
      throw interrupt;
    } catch (RuntimeException failure) {
      if (!isAtFault(failure)) {
        throw failure;
      }
      carryOutEach(failure);
    }
    batch.clear();
  }

  private void carryOutEach(RuntimeException reason) {
    if (batch.size() == 1) {
      giveUpReports(reason);
      return;
    }
    List<Report> all = List.copyOf(batch);
    for (Report report : all) {
      try {
        commit(List.of(report));
      } catch (RuntimeException failure) {
        if (!isAtFault(failure)) {
          throw failure;
        }
        core.report("A report on the job %s cannot be stored".formatted(report.key()), failure);
        tell(report, false);
      }
      batch.remove(report);
    }
  }

  private void giveUpReports(Throwable reason) {
    core.report("%d reports on jobs cannot be stored".formatted(batch.size()), reason);
    batch.forEach(report -> tell(report, false));
    batch.clear();
  }

  private Duration failed(Throwable failure, int inARow) {
    if (Loop.isHopeless(failure, inARow)) {
      giveUpReports(failure);
      giveUp.run();
    } else {
      core.report("%d reports on jobs are not stored yet".formatted(batch.size()), failure);
    }
    Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(inARow - 1, PAUSE_DOUBLINGS));
    return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
  }

  /** Whoever is told must not keep the others from it. */
  private void tell(Report report, boolean held) {
    try {
      report.then().accept(held);
    } catch (Throwable failure) {
      core.report("The end of the job %s was not noted".formatted(report.key()), failure);
    }
  }

  /** Whether a report is at fault and not the store: one of them shall not hold up the others. */
  private static boolean isAtFault(RuntimeException failure) {
    return failure instanceof LimitExceededException
        || failure instanceof UsageException
        || failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException; // a row that a newer release wrote
  }

  private void commit(List<Report> some) {
    long now = core.now();
    List<Boolean> held =
        core.rows()
            .transact(
                rows -> {
                  JobTable.fetch(rows, some.stream().map(Report::key).toList());
                  return some.stream().map(each -> each.transition().apply(rows, now)).toList();
                });
    for (int i = 0; i < some.size(); i++) {
      tell(some.get(i), held.get(i));
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
    if (!thread.isAlive()) {
      batch.forEach(report -> tell(report, false));
    }
  }
}
