package dev.tidemark.partitions;

import java.time.Duration;
import java.util.Optional;

/**
 * Receives events of a manager, a server or a client as they happen. Every method does nothing
 * unless it is overridden, so that the default is {@link #NONE}. Calls come from many threads, on
 * the path of requests: return at once. An exception from a method is logged and has no other
 * effect.
 *
 * <p>For numbers at a moment rather than events, read {@code statistics()} of the manager, the
 * server or the client, or binds {@link PartitionMeters}.
 */
public interface PartitionMetrics {
  /** Tells nobody. */
  PartitionMetrics NONE = new PartitionMetrics() {};

  /**
   * A request has ended: at a server one attempt, at a client all of them together.
   *
   * @param type the actor type
   * @param failure why it has no answer; empty if it has one
   */
  default void requestEnded(
      String type, Optional<PartitionException.Reason> failure, Duration took) {}

  /** A client repeats a request; the reason is why the previous attempt failed. */
  default void requestRepeated(String type, PartitionException.Reason why) {}

  /**
   * A manager ended an operation.
   *
   * @param kind {@code split}, {@code merge}, {@code migrate}, {@code failover} or {@code drain}
   * @param took from its first row to its last, also under earlier leaders
   */
  default void operationEnded(String kind, PartitionOperation.State state, Duration took) {}

  /** A manager began to lead, or ceased to. */
  default void leadership(boolean leads, long term) {}
}
