package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.internal.log.Tenure;

/** What a cell needs of its engine. */
interface EngineServices {
  EngineOptions options();

  TimeSource time();

  NodeLease lease();

  /**
   * Loads the actor of a partition that this server owns, or says why it cannot.
   *
   * @param onChange called when the state must be dropped, or room is there for more requests
   */
  ActiveActor load(PartitionCell cell, Runnable onChange);

  /** The cell has the actor that was loaded for it. */
  void awake(PartitionCell cell);

  /** Who owns the partition: this server, or an exception says MOVED. */
  Tenure tenure(String partition);

  /** The log of the cell's partition has become long; another thread writes the checkpoint. */
  void logIsLong(PartitionCell cell);

  /** The cell is closed. */
  void forget(PartitionCell cell);
}
