package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;

/**
 * Is told of the end of a request that no thread waits for. Its methods must not wait: they run on
 * the thread that commits, or has the turn of a partition.
 */
public interface Ended {
  /** The request has its answer. {@link #flush} follows, once for all that ended together. */
  void answered(byte[] answer);

  /** The request has failed. {@link #flush} follows. */
  void failed(PartitionException why);

  /** All requests that ended together have been told. */
  void flush();
}
