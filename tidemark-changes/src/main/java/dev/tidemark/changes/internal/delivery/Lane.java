package dev.tidemark.changes.internal.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A queue of deliveries whose calls happen one after the other, or up to a number at once. It has a
 * thread only while there is something to hand over. Its length is bounded by the limit of what a
 * partition has in flight.
 */
final class Lane {
  private final Setting setting;
  private final int concurrency;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final ArrayDeque<Part> queue = new ArrayDeque<>();
  private int workers;

  /** Deliveries that were added at once. */
  private static final class Part {
    private final List<PendingDelivery> deliveries;
    private final boolean together;
    private int next;

    Part(List<PendingDelivery> deliveries, boolean together) {
      this.deliveries = deliveries;
      this.together = together;
    }

    int left() {
      return deliveries.size() - next;
    }

    /** How many calls take all of them. */
    int calls(int most) {
      return together ? 1 : (left() + most - 1) / most;
    }

    /** How many of them a call can take that has room for {@code room} more. */
    int fitting(int room) {
      return together && left() > room ? 0 : Math.min(room, left());
    }

    List<PendingDelivery> take(int count) {
      next += count;
      return deliveries.subList(next - count, next);
    }
  }

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
    add(new Part(unit, true));
  }

  /** Adds deliveries of which any number may go into a call. They do not change any more. */
  void addEach(List<PendingDelivery> deliveries) {
    add(new Part(deliveries, false));
  }

  private void add(Part part) {
    int calls = part.calls(most);
    int starts = 0;
    lock.lock();
    try {
      queue.addLast(part);
      while (starts < calls && isWorkerOfUse()) {
        starts++;
      }
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < starts; i++) {
      start();
    }
  }

  /** Starts as many workers as are of use. */
  void wake() {
    int starts = 0;
    lock.lock();
    try {
      int calls = queue.stream().mapToInt(part -> part.calls(most)).sum();
      while (starts < calls && isWorkerOfUse()) {
        starts++;
      }
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < starts; i++) {
      start();
    }
  }

  /** Whether there is nothing to hand over and nobody who does. */
  boolean isIdle() {
    lock.lock();
    try {
      return workers == 0 && queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Whether another worker is of use, which then counts. The caller holds the lock. */
  private boolean isWorkerOfUse() {
    boolean useful = setting.gate().isOpen() && !queue.isEmpty() && workers < concurrency;
    workers += useful ? 1 : 0;
    return useful;
  }

  private void start() {
    setting.executor().execute(this::work);
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
    try {
      handOver();
    } catch (Throwable failure) {
      setting.gate().shut();
      setting.failures().accept(failure);
    }
  }

  private void handOver() {
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
      // What belongs together goes as a whole, even where that is more than a call should have.
      Part first = queue.getFirst();
      List<PendingDelivery> taken =
          new ArrayList<>(first.take(first.together ? first.left() : first.fitting(most)));
      dropTaken();
      int fitting = fitting(taken);
      while (fitting > 0) {
        taken.addAll(queue.getFirst().take(fitting));
        dropTaken();
        fitting = fitting(taken);
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private int fitting(List<PendingDelivery> taken) {
    return queue.isEmpty() ? 0 : queue.getFirst().fitting(most - taken.size());
  }

  private void dropTaken() {
    if (queue.getFirst().left() == 0) {
      queue.removeFirst();
    }
  }
}
