package dev.tidemark.changes;

import java.time.Instant;

/** Where a new run begins. A run that was started before goes on where it was. */
public sealed interface StartAt {
  /** With changes that are committed from now on. */
  record Now() implements StartAt {}

  /** With the earliest change that the source keeps. */
  record Beginning() implements StartAt {}

  /**
   * With changes that were committed at {@code time} or later.
   *
   * @param time the time of the source
   */
  record Time(Instant time) implements StartAt {}

  /**
   * With changes at {@code position} or later.
   *
   * @param position a position of the source
   */
  record At(Position position) implements StartAt {}

  /** With changes that are committed from now on. */
  static StartAt now() {
    return new Now();
  }

  /** With the earliest change that the source keeps. */
  static StartAt beginning() {
    return new Beginning();
  }

  /** With changes that were committed at {@code time} or later. */
  static StartAt time(Instant time) {
    return new Time(time);
  }

  /** With changes at {@code position} or later. */
  static StartAt position(Position position) {
    return new At(position);
  }
}
