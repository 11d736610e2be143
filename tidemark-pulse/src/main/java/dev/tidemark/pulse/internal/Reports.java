package dev.tidemark.pulse.internal;

import dev.tidemark.coordination.Rows;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.pulse.PoolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What the workers of a node tell the store about their jobs, gathered: while one transaction is
 * under way the next fills up. Reports are carried out in the order in which they came.
 */
final class Reports implements AutoCloseable {
  private static final int GATHERED_MAX = 256;
  private static final int WAITING_MAX = 4_096;
  private static final Duration PAUSE_MIN = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  private final PoolCore core;
  private final BlockingQueue<Report> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Thread thread;
  private volatile boolean closed;

  /** A transition of an owner; whether its claim held. */
  @FunctionalInterface
  interface Transition {
    boolean apply(Rows rows, long now);
  }

  private record Report(String key, Transition transition, Consumer<Boolean> then) {}

  Reports(PoolCore core, String node) {
    this.core = core;
    this.thread = Thread.ofVirtual().name("pulse-reports-" + node).start(this::carryOut);
  }

  /** Has {@code transition} carried out soon; {@code then} learns whether the claim held. */
  void add(String key, Transition transition, Consumer<Boolean> then) {
    try {
      waiting.put(new Report(key, transition, then));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while reporting on a job", interrupt);
    }
  }

  /** Carries {@code transition} out; whether the claim held. */
  boolean await(String key, Transition transition) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    add(key, transition, done::complete);
    try {
      return done.get(core.options().shutdownTime().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while reporting on a job", interrupt);
    } catch (ExecutionException | TimeoutException failure) {
      throw new PoolException("The store did not take the report on the job " + key, failure);
    }
  }

  private void carryOut() {
    List<Report> batch = new ArrayList<>();
    while (!closed) {
      try {
        batch.add(waiting.take());
        waiting.drainTo(batch, GATHERED_MAX - 1);
        carryOut(batch);
      } catch (InterruptedException | InterruptedOperationException ended) {
        return;
      } finally {
        batch.clear();
      }
    }
  }

  /**
   * Goes on until the store takes them: to the pool a job whose report was given up would run on
   * this node as long as that lives. Should the lease end meanwhile, the claims no longer hold.
   */
  private void carryOut(List<Report> batch) {
    for (Duration pause = PAUSE_MIN; !closed; pause = longer(pause)) {
      try {
        commit(batch);
        return;
      } catch (InterruptedOperationException ended) {
        throw ended;
      } catch (RuntimeException failure) {
        if (isHopeless(failure) && batch.size() > 1) {
          batch.forEach(report -> carryOut(List.of(report)));
          return;
        }
        core.report("%d reports on jobs are not stored yet".formatted(batch.size()), failure);
        if (isHopeless(failure) || !core.pause(pause)) {
          batch.forEach(report -> report.then().accept(false));
          return;
        }
      }
    }
    batch.forEach(report -> report.then().accept(false));
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
  }

  /** Whether a report is at fault and not the store: one of them shall not hold up the others. */
  private static boolean isHopeless(RuntimeException failure) {
    return failure instanceof LimitExceededException
        || failure instanceof UsageException
        || failure instanceof IllegalArgumentException
        || failure instanceof IllegalStateException; // a row that a newer release wrote
  }

  private void commit(List<Report> batch) {
    long now = core.now();
    List<Boolean> held =
        core.rows()
            .transact(
                rows -> {
                  JobTable.fetch(rows, batch.stream().map(Report::key).toList());
                  return batch.stream().map(each -> each.transition().apply(rows, now)).toList();
                });
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).then().accept(held.get(i));
    }
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
