package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.internal.watermark.Frontier;

/** Where changes go after they were read: to the program, in the order of a mode. */
public interface Outlet {
  /** Takes a change that was read. Never waits; what is read is bounded before. */
  void add(PendingDelivery delivery);

  /** Hands a change out again that was not acknowledged in time. */
  default void again(PendingDelivery delivery) {
    add(delivery);
  }

  /** Notes up to where all partitions have been read, and hands out what waited for it. */
  default void release(Frontier readWatermark) {}

  /** Forgets a partition. */
  default void forget(String token) {}

  /** Goes on after a pause. */
  void wake();
}
