package dev.tidemark.partitions.internal.operations;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.Placement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Chooses nodes for partitions that have to leave theirs. Operations run at the same time, so each
 * choice counts for the next one at once, before any route shows it. The cluster is read again
 * after a moment, and whenever no node is found.
 */
final class Targets {
  /**
   * A view of a large cluster needs every route to be read, so operations share one for this long.
   */
  private static final Duration FRESH = Duration.ofMillis(500);

  private final Supplier<ClusterLoad> load;
  private final TimeSource time;

  /** Held while the cluster is read: a thread that comes meanwhile waits for the same view. */
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<String, String> underWay = new HashMap<>();
  private Optional<Placement> placement = Optional.empty();
  private long lookedAt;

  Targets(Supplier<ClusterLoad> load, TimeSource time) {
    this.load = load;
    this.time = time;
  }

  /** The best node for {@code partition} but for those in {@code not}; empty if there is none. */
  Optional<String> choose(String partition, Set<String> not) {
    lock.lock();
    try {
      boolean fresh = placement.isEmpty() || time.nanos() - lookedAt > FRESH.toNanos();
      Placement now = fresh ? look() : placement.get();
      Optional<String> chosen = now.choose(partition, not);
      if (chosen.isEmpty() && !fresh) {
        chosen = look().choose(partition, not);
      }
      chosen.ifPresent(node -> underWay.put(partition, node));
      return chosen;
    } finally {
      lock.unlock();
    }
  }

  /** The operation that {@code partition} was placed for has ended; its route tells the rest. */
  void ended(String partition) {
    lock.lock();
    try {
      underWay.remove(partition);
    } finally {
      lock.unlock();
    }
  }

  private Placement look() {
    lookedAt = time.nanos();
    Placement next = Placement.in(load.get());
    underWay.forEach(next::move);
    placement = Optional.of(next);
    return next;
  }
}
