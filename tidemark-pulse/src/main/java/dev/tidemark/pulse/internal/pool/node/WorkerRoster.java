package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.Threads;
import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import dev.tidemark.pulse.internal.pool.worker.WorkerHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The workers that the program has added to a node, and the life of the node that they work in.
 * What the store knows of them is the business of {@link NodeWorkers}.
 */
final class WorkerRoster {
  private final List<WorkerHandle> workers = new CopyOnWriteArrayList<>();

  /** Held while a worker comes, goes or is renewed, and while the life of the node changes. */
  private final ReentrantLock changing = new ReentrantLock();

  private volatile NodeLife life;

  WorkerRoster(NodeLife first) {
    this.life = first;
  }

  NodeLife life() {
    return life;
  }

  /** Workers made from now on work in the life {@code fresh}; the others have to be renewed. */
  void beginLife(NodeLife fresh) {
    changing.lock();
    try {
      life = fresh;
    } finally {
      changing.unlock();
    }
  }

  List<WorkerHandle> all() {
    return workers;
  }

  boolean has(WorkerHandle worker) {
    return workers.contains(worker);
  }

  /** Those that work now, by their ids. */
  Map<String, LocalWorker> byId() {
    Map<String, LocalWorker> found = new HashMap<>();
    for (WorkerHandle worker : workers) {
      LocalWorker current = worker.current(); // once: it may be renewed meanwhile
      found.put(current.id(), current);
    }
    return found;
  }

  /** Adds a worker of the current life. */
  WorkerHandle add(WorkerHandle.Maker maker) {
    changing.lock();
    try {
      WorkerHandle worker = new WorkerHandle(maker, life);
      workers.add(worker);
      return worker;
    } finally {
      changing.unlock();
    }
  }

  /** Renews a worker in the life {@code fresh}; empty if it was removed, or was made in it. */
  Optional<LocalWorker> renew(WorkerHandle worker, NodeLife fresh) {
    changing.lock();
    try {
      return has(worker) && !worker.isIn(fresh)
          ? Optional.of(worker.renew(fresh))
          : Optional.empty();
    } finally {
      changing.unlock();
    }
  }

  /** Removes the worker {@code known}, which has no jobs; false if it was renewed since. */
  boolean removeUnlessRenewed(WorkerHandle worker, LocalWorker known) {
    changing.lock();
    try {
      if (worker.current() != known) {
        return false;
      }
      remove(worker);
      return true;
    } finally {
      changing.unlock();
    }
  }

  void removeAll() {
    List.copyOf(workers).forEach(this::remove);
  }

  private void remove(WorkerHandle worker) {
    workers.remove(worker);
    worker.markRemoved();
  }

  /**
   * Stops all jobs and tells the store nothing; waits for each worker for {@code patience}, but not
   * for one whose handler calls this: that cannot end before.
   */
  void abandonAll(Duration patience) {
    Thread caller = Thread.currentThread();
    List<Thread> threads = new ArrayList<>();
    for (WorkerHandle worker : workers) {
      LocalWorker current = worker.current();
      Duration wait = current.runsOn(caller) ? Duration.ZERO : patience;
      threads.add(Threads.startDaemon("pulse-abandon-" + worker.id(), () -> current.abandon(wait)));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
