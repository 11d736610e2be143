package dev.tidemark.partitions.internal.log;

import dev.tidemark.partitions.PartitionException;

/** Not all of a batch was appended. */
public final class AppendFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final int durable;
  private final boolean ownFault;
  private final PartitionException reason;

  private AppendFailedException(int durable, boolean ownFault, PartitionException reason) {
    super(reason.getMessage(), reason);
    this.durable = durable;
    this.ownFault = ownFault;
    this.reason = reason;
  }

  /**
   * After the first {@code durable} records no more could be appended, because of {@code reason}.
   */
  static AppendFailedException after(int durable, PartitionException reason) {
    return new AppendFailedException(durable, false, reason);
  }

  /**
   * The record after the first {@code durable} ones cannot be appended, and the cause is the record
   * itself.
   */
  static AppendFailedException ofOne(int durable, PartitionException reason) {
    return new AppendFailedException(durable, true, reason);
  }

  /** How many records of the batch are durable: the first ones. */
  public int durable() {
    return durable;
  }

  /** Whether only the next record is the cause, so that those after it may be tried again. */
  public boolean isFaultOfOne() {
    return ownFault;
  }

  /** Why. */
  public PartitionException reason() {
    return reason;
  }
}
