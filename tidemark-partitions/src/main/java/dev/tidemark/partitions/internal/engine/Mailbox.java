package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Requests that wait for an actor, in the order they came, up to a limit. */
final class Mailbox {
  /** Added to the size of one that is shut, so that it stays negative. */
  private static final int SHUT = Integer.MIN_VALUE / 2;

  private final int capacity;
  private final ConcurrentLinkedQueue<PartitionCall<?>> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  Mailbox(int capacity) {
    this.capacity = capacity;
  }

  /** Enqueues {@code call}; false if the mailbox is full or shut. */
  boolean offer(PartitionCall<?> call) {
    int now = size.incrementAndGet();
    if (now < 0 || now > capacity) {
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
    return Math.max(0, size.get());
  }

  /** Shuts the mailbox for good if it is empty; whether this call did so. */
  boolean shutIfEmpty() {
    return size.compareAndSet(0, SHUT);
  }

  boolean isShut() {
    return size.get() < 0;
  }

  /**
   * Fails all queued calls. All are taken out before the first one is told: a caller that tries
   * again at once makes a new attempt and does not meet this failure again.
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

  /** Fails a call that is not queued. */
  static void fail(PartitionCall<?> call, PartitionException why) {
    call.fail(why);
    Group failed = new Group();
    failed.add(call);
    failed.flush();
  }
}
