package dev.tidemark.changes.internal.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A queue of deliveries whose calls happen one after the other, or up to a number at once. It has a
 * thread only while there is something to hand over. How much it holds is bounded by what a
 * partition may have in flight.
 */
final class Lane {
  private final Setting setting;
  private final int concurrency;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final ArrayDeque<List<PendingDelivery>> queue = new ArrayDeque<>();
  private int workers;

  /**
   * What all lanes of a reader share.
   *
   * @param executor runs the calls
   * @param call hands deliveries to the program
   * @param gate tells whether it may
   * @param failures learns what the program threw
   */
  record Setting(Executor executor, Call call, Gate gate, Consumer<Throwable> failures) {}

  /**
   * An empty lane.
   *
   * @param concurrency how many calls may happen at once
   * @param most the most deliveries of a call that are put together from several units
   */
  Lane(Setting setting, int concurrency, int most) {
    this.setting = setting;
    this.concurrency = concurrency;
    this.most = most;
  }

  /** Adds deliveries that belong together. */
  void add(List<PendingDelivery> unit) {
    boolean start;
    lock.lock();
    try {
      queue.addLast(unit);
      start = isWorkerOfUse();
    } finally {
      lock.unlock();
    }
    start(start);
  }

  /** Starts a worker if one is of use. */
  void wake() {
    boolean start;
    lock.lock();
    try {
      start = isWorkerOfUse();
    } finally {
      lock.unlock();
    }
    start(start);
  }

  /** Whether another worker is of use, which then counts. The caller holds the lock. */
  private boolean isWorkerOfUse() {
    boolean useful = setting.gate().isOpen() && !queue.isEmpty() && workers < concurrency;
    workers += useful ? 1 : 0;
    return useful;
  }

  private void start(boolean worker) {
    if (worker) {
      setting.executor().execute(this::work);
    }
  }

  /** Drops what was not handed over. */
  void clear() {
    lock.lock();
    try {
      queue.clear();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    List<PendingDelivery> next = take();
    while (!next.isEmpty()) {
      try {
        setting.call().invoke(next);
      } catch (Throwable failure) {
        // The gate is shut by the failure, so the next take ends this worker.
        setting.gate().shut();
        setting.failures().accept(failure);
      }
      next = take();
    }
  }

  private List<PendingDelivery> take() {
    lock.lock();
    try {
      if (!setting.gate().isOpen() || queue.isEmpty()) {
        workers--;
        return List.of();
      }
      List<PendingDelivery> taken = new ArrayList<>(queue.removeFirst());
      while (!queue.isEmpty() && taken.size() + queue.getFirst().size() <= most) {
        taken.addAll(queue.removeFirst());
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
