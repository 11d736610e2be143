package dev.tidemark.changes;

/** Why a reader has ended. */
public sealed interface EndReason {
  /** The run's end was reached and everything before it was acknowledged. */
  record Completed() implements EndReason {}

  /**
   * The program stopped the reader.
   *
   * @param drained whether everything handed out was acknowledged and stored in time
   */
  record Stopped(boolean drained) implements EndReason {}

  /** The program closed the reader without stopping it first. */
  record Closed() implements EndReason {}

  /**
   * Something failed that the reader may not go on after.
   *
   * @param cause what failed
   */
  record Failed(Throwable cause) implements EndReason {}
}
