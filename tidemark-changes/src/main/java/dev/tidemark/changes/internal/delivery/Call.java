package dev.tidemark.changes.internal.delivery;

import java.util.List;

/** Hands deliveries to the program, in their order. */
@FunctionalInterface
public interface Call {
  /**
   * Hands {@code deliveries} over and returns when the program has returned.
   *
   * @throws Exception what the program threw
   */
  void invoke(List<PendingDelivery> deliveries) throws Exception;
}
