package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.rows.Membership;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import dev.tidemark.pulse.internal.pool.worker.WorkerHandle;
import dev.tidemark.pulse.pool.PoolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How workers and nodes go: first nothing new comes to them, then each job is stopped and given
 * away, and only then are they gone from the store.
 */
final class Departure {
  private static final int BATCH = 256;
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final PoolCore core;
  private final NodeWorkers workers;
  private final Upkeep upkeep;

  /** One departure at a time: a second one waits, and finds less to do. */
  private final Semaphore turn = new Semaphore(1);

  private volatile boolean leaving;
  private volatile boolean shutdown;

  /** Whether the shutdown that this node left with was seen to end. */
  private volatile boolean shutdownOver;

  Departure(PoolCore core, NodeWorkers workers) {
    this.core = core;
    this.workers = workers;
    this.upkeep = new Upkeep(core);
  }

  boolean isLeaving() {
    return leaving;
  }

  boolean isShutdown() {
    return shutdown;
  }

  void markShutdown() {
    shutdown = true;
  }

  /**
   * Leaves the pool; why jobs could not be stopped. With a reason it has not left. A node that has
   * just joined again, because it had lost its lease, leaves once more.
   */
  List<Throwable> leave(LocalWorker.Ending ending, Duration patience) {
    leaving = true;
    workers.beginLeave();
    while (true) {
      NodeLife life = workers.life();
      List<Throwable> failures = drain(workers.roster().all(), ending, patience);
      if (!failures.isEmpty()) {
        return failures;
      }
      core.rows()
          .transact(
              rows -> {
                Membership.leave(rows, life.id());
                return life.id();
              });
      if (life.equals(workers.life())) {
        return List.of();
      }
    }
  }

  /** Stops the jobs of workers and gives them away; why some could not be stopped. */
  List<Throwable> drain(List<WorkerHandle> going, LocalWorker.Ending ending, Duration patience) {
    try {
      if (!turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return List.of(new PoolException("Another call still stops the jobs of these workers"));
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return List.of(interrupt);
    }
    try {
      return drainInTurn(going, ending, patience);
    } finally {
      turn.release();
    }
  }

  private List<Throwable> drainInTurn(
      List<WorkerHandle> going, LocalWorker.Ending ending, Duration patience) {
    List<LocalWorker> current = going.stream().map(WorkerHandle::current).toList();
    List<String> ids = current.stream().map(LocalWorker::id).toList();
    core.rows()
        .transact(
            rows -> {
              Membership.beginLeave(rows, ids);
              return ids;
            });
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (LocalWorker worker : current) {
      threads.add(Thread.ofVirtual().start(() -> failures.addAll(drain(worker, ending, patience))));
    }
    for (Thread thread : threads) {
      joinOrFail(thread, failures);
    }
    return List.copyOf(failures);
  }

  private List<Throwable> drain(LocalWorker worker, LocalWorker.Ending ending, Duration patience) {
    try {
      List<Throwable> failures = worker.drain(ending, patience);
      if (failures.isEmpty() && ending == LocalWorker.Ending.HAND_OVER) {
        upkeep.takeAll(worker.id());
      }
      return failures;
    } catch (Throwable failure) {
      return List.of(failure);
    }
  }

  private static void joinOrFail(Thread thread, List<Throwable> failures) {
    try {
      thread.join();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      failures.add(interrupt);
    }
  }

  void beginShutdown() {
    long now = core.now();
    core.rows()
        .transact(
            rows -> {
              Membership.beginShutdown(rows, now);
              return now;
            });
  }

  /** Ends a shutdown if all nodes have left; whether it has ended. */
  boolean tryToEndShutdown() {
    while (true) {
      long now = core.now();
      switch (core.rows().transact(rows -> Membership.endShutdown(rows, BATCH, now))) {
        case NODES_LEFT -> {
          return false;
        }
        case JOBS_LEFT -> {}
        case ENDED -> {
          shutdownOver = true;
          return true;
        }
      }
    }
  }

  /**
   * Waits until the other nodes have left, or died; those that have not by {@code end}. Whoever
   * asks again after the end is not told of a later shutdown.
   */
  List<String> awaitEndOfShutdown(long end) {
    List<String> left = List.of();
    while (left.isEmpty() && !shutdownOver && !tryToEndShutdown()) {
      upkeep.removeDeadNodes();
      if (core.nanos() - end > 0 || !core.pause(LOOK_EVERY)) {
        left = core.rows().read(Membership::nodes);
      }
    }
    return left;
  }
}
