package dev.tidemark.changes.internal.engine;

import java.time.Duration;

/** What a step of a session led to. */
public sealed interface Step {
  /**
   * Something was read.
   *
   * @param items how much
   */
  record Read(int items) implements Step {}

  /** The source had nothing. */
  record Idle() implements Step {}

  /** Too much is in flight; an acknowledgement is needed first. */
  record Full() implements Step {}

  /** Another attempt is due after {@code pause}. */
  record Wait(Duration pause) implements Step {}

  /** Everything of the partition has been read. */
  record ReadOut() implements Step {}

  /** The session was closed or lost its partition. */
  record Closed() implements Step {}
}
