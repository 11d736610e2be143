package dev.tidemark.partitions.internal.engine;

/** Whether this server may still believe that nobody has taken its partitions over. */
@FunctionalInterface
public interface NodeLease {
  /**
   * Whether the lease is valid by a clock that was read before its last renewal was sent. Called
   * for every read, so it does no I/O.
   */
  boolean isHeld();
}
