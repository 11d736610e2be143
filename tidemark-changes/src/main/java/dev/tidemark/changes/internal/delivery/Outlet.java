package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.internal.watermark.Frontier;
import java.util.List;

/** Where changes go after they were read: to the program, in the order of a mode. */
public interface Outlet {
  /** Takes a change that was read. Never waits; what is read is bounded before. */
  void add(PendingDelivery delivery);

  /** Takes changes of one partition that were read together. */
  default void add(List<PendingDelivery> deliveries) {
    deliveries.forEach(this::add);
  }

  /** Hands a change out again that was not acknowledged in time. */
  default void again(PendingDelivery delivery) {
    add(delivery);
  }

  /** Notes up to where all partitions have been read, and hands out what waited for it. */
  default void release(Frontier readWatermark) {}

  /** Forgets a partition that is finished, or was given back or lost. */
  default void forget(String token) {}

  /**
   * A partition was lost: where the order spans partitions, nothing more can be handed out until
   * all of them are read again.
   */
  default void lost() {}

  /** All partitions are read again from their stored positions. */
  default void reset() {}

  /** Goes on after a pause. */
  void wake();
}
