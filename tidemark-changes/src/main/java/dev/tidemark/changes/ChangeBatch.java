package dev.tidemark.changes;

import java.util.List;

/**
 * Changes that are handed to the program together.
 *
 * <p>In the modes by partition or key they are of one partition, in commit order; {@link #resume}
 * is then where reading would go on after them. In {@link OrderMode#TRANSACTION} they are all
 * changes of one transaction, by sequence.
 */
public interface ChangeBatch {
  /** The deliveries, each of which can be acknowledged alone. */
  List<Delivery> deliveries();

  /** The changes alone. */
  default List<DataChange> changes() {
    return deliveries().stream().map(Delivery::change).toList();
  }

  /** The partition of the first change. */
  String token();

  /** The epoch under which this process reads the partition; a later owner has a greater one. */
  long epoch();

  /**
   * Where reading of the partition goes on once this batch and everything before it is
   * acknowledged. A sink that keeps positions itself stores it together with the batch's effects.
   *
   * @throws IllegalStateException in modes whose batches span partitions
   */
  ResumePoint resume();

  /** Acknowledges all of them. */
  void ack();
}
