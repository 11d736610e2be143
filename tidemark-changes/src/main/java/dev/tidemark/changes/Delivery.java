package dev.tidemark.changes;

/** A change that was handed to the program, until it is acknowledged. */
public interface Delivery {
  /** The change. */
  DataChange change();

  /** The partition that returned it. */
  String token();

  /** How often it has been handed out by this reader, this time included. */
  int attempt();

  /**
   * Acknowledges the change: it need not be delivered again. From any thread, in any order. A
   * second call, or one after the reader has closed or lost the partition, has no effect.
   */
  void ack();

  /**
   * Ends the reader because the change cannot be processed. Its position is kept, so that the next
   * reader of the run delivers it again.
   */
  void fail(Throwable cause);
}
