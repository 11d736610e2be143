package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.Mod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue for each key. A change waits in the queues of all its keys and is handed out when it is
 * the first in each of them. Changes of one key in two partitions do not meet here: a child is read
 * only after its parents.
 */
final class KeyOutlet implements Outlet {
  private final Lane lane;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<RowKey, ArrayDeque<Waiting>> queues = new HashMap<>();

  private record RowKey(String partition, String table, Object key) {}

  private static final class Waiting {
    final PendingDelivery delivery;
    final Set<RowKey> keys;
    int ahead;

    Waiting(PendingDelivery delivery, Set<RowKey> keys) {
      this.delivery = delivery;
      this.keys = keys;
    }
  }

  KeyOutlet(Lane.Setting setting, int concurrency) {
    Call call =
        deliveries -> {
          setting.call().invoke(deliveries);
          deliveries.forEach(this::done);
        };
    this.lane =
        new Lane(
            new Lane.Setting(setting.executor(), call, setting.gate(), setting.failures()),
            concurrency,
            1);
  }

  @Override
  public void add(PendingDelivery delivery) {
    Waiting waiting = new Waiting(delivery, keys(delivery));
    lock.lock();
    try {
      for (RowKey key : waiting.keys) {
        ArrayDeque<Waiting> queue = queues.computeIfAbsent(key, each -> new ArrayDeque<>());
        waiting.ahead += queue.isEmpty() ? 0 : 1;
        queue.addLast(waiting);
      }
      if (waiting.ahead > 0) {
        return;
      }
    } finally {
      lock.unlock();
    }
    lane.add(List.of(delivery));
  }

  /** A change that is handed out again holds no place in the queues any more. */
  @Override
  public void again(PendingDelivery delivery) {
    lane.add(List.of(delivery));
  }

  private void done(PendingDelivery delivery) {
    List<PendingDelivery> ready = new ArrayList<>();
    lock.lock();
    try {
      for (RowKey key : keys(delivery)) {
        ArrayDeque<Waiting> queue = queues.get(key);
        if (queue == null || !queue.getFirst().delivery.equals(delivery)) {
          continue;
        }
        queue.removeFirst();
        if (queue.isEmpty()) {
          queues.remove(key);
        } else if (--queue.getFirst().ahead == 0) {
          ready.add(queue.getFirst().delivery);
        }
      }
    } finally {
      lock.unlock();
    }
    ready.forEach(each -> lane.add(List.of(each)));
  }

  private static Set<RowKey> keys(PendingDelivery delivery) {
    Set<RowKey> keys = new HashSet<>();
    for (Mod mod : delivery.change().mods()) {
      keys.add(new RowKey(delivery.token(), delivery.change().table(), mod.keys().asMap()));
    }
    return keys;
  }

  @Override
  public void wake() {
    lane.wake();
  }
}
