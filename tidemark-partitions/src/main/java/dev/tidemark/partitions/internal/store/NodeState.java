package dev.tidemark.partitions.internal.store;

/** How the manager sees a node. The order is part of the format. */
public enum NodeState {
  /** Known, and not running. */
  WAITING,
  /** Running, and may be given partitions. */
  ACTIVE,
  /** Running, and giving its partitions away. */
  DRAINING,
  /** Its lease ended while it had partitions. */
  FAILED
}
