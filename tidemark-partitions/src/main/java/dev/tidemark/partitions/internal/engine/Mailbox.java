package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests that wait for an actor, in the order they came, up to a limit. */
final class Mailbox {
  private final int capacity;
  private final ConcurrentLinkedQueue<PartitionCall<?>> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  Mailbox(int capacity) {
    this.capacity = capacity;
  }

  /** Puts {@code call} in line; false if there is no room. */
  boolean offer(PartitionCall<?> call) {
    if (size.incrementAndGet() > capacity) {
      size.decrementAndGet();
      return false;
    }
    calls.add(call);
    return true;
  }

  @Nullable PartitionCall<?> poll() {
    PartitionCall<?> call = calls.poll();
    if (call != null) {
      size.decrementAndGet();
    }
    return call;
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  int size() {
    return size.get();
  }

  /**
   * Fails all that are in line. All are taken before the first is told: a caller that tries again
   * at once gets a new attempt, not the failure of this one.
   */
  void failAll(PartitionException why) {
    List<PartitionCall<?>> waiting = new ArrayList<>();
    for (PartitionCall<?> call = poll(); call != null; call = poll()) {
      waiting.add(call);
    }
    Group failed = new Group();
    for (PartitionCall<?> call : waiting) {
      call.fail(why);
      failed.add(call);
    }
    failed.flush();
  }

  /** Fails one that is not in line. */
  static void fail(PartitionCall<?> call, PartitionException why) {
    call.fail(why);
    Group failed = new Group();
    failed.add(call);
    failed.flush();
  }
}
