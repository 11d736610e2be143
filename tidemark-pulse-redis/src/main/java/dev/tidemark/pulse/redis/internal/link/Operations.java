package dev.tidemark.pulse.redis.internal.link;

import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Ids of operations, by which the server recognises one that is repeated after its reply was lost.
 *
 * <p>An id is a slot and a number. A slot has one operation at a time and its numbers only grow, so
 * the server needs to remember only the latest operation of each slot. There are as many slots as
 * operations have been under way at one time.
 */
final class Operations {
  private final String process = UUID.randomUUID().toString().substring(0, 13);
  private final AtomicInteger slots = new AtomicInteger();
  private final ConcurrentLinkedDeque<Slot> free = new ConcurrentLinkedDeque<>();

  /** The place of one operation at a time. */
  static final class Slot {
    private final String name;
    private long number;

    private Slot(String name) {
      this.name = name;
    }

    /** What its memory in the store is called, below what it belongs to. */
    String name() {
      return name;
    }

    /** The number of the next operation. */
    long next() {
      return ++number;
    }
  }

  /** Runs {@code operations} with a slot of their own. */
  <T> T withSlot(Function<Slot, T> operations) {
    Slot slot = take();
    try {
      return operations.apply(slot);
    } finally {
      free.push(slot);
    }
  }

  private Slot take() {
    Slot slot = free.poll();
    return slot != null ? slot : new Slot(process + "-" + slots.incrementAndGet());
  }
}
