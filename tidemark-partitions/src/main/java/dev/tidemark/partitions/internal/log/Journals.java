package dev.tidemark.partitions.internal.log;

/** The logs and checkpoints of all partitions, as one server sees them. */
public interface Journals {
  /**
   * The journal of a partition that this server owns.
   *
   * @throws dev.tidemark.partitions.PartitionException with the reason MOVED if it does not
   */
  Journal own(String partition);

  /**
   * Loads a partition that another server owns, as far as it is by now.
   *
   * @throws dev.tidemark.partitions.PartitionException with the reason BUSY if its owner changed
   *     too much meanwhile
   */
  Loaded peek(String partition, JournalTarget.Factory target);

  /** The version of the routing table by now. */
  long routingVersion();
}
