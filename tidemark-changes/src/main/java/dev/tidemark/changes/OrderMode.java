package dev.tidemark.changes;

/** In which order a {@link ChangeReader} hands records to the program. */
public enum OrderMode {
  /** Records of a partition are handled at once, in any order. The most parallel mode. */
  UNORDERED,
  /** One record or batch of a partition at a time, in commit order; partitions in parallel. */
  PARTITION,
  /** Records of one key one at a time, in commit order; other keys in parallel. */
  KEY,
  /**
   * All records of the stream one at a time, in commit order. Waits for the slowest partition: its
   * heartbeats are the latency. One process at a time reads.
   */
  COMMIT_TIMESTAMP,
  /**
   * As {@link #COMMIT_TIMESTAMP}, with all records of a transaction in one batch. Complete
   * transactions only: a missing record fails the reader.
   */
  TRANSACTION;

  /** Whether the order spans all partitions, so that one process has to read all of them. */
  public boolean isGlobal() {
    return this == COMMIT_TIMESTAMP || this == TRANSACTION;
  }
}
