package dev.tidemark.changes;

import java.time.Instant;
import java.time.format.DateTimeParseException;

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

  /** The position of {@code source} that a run begins at, if it begins now. */
  default Position in(ChangeSource source) {
    return switch (this) {
      case Now() -> source.now();
      case Beginning() -> source.earliest();
      case Time(Instant time) -> source.at(time);
      case At(Position position) -> position;
    };
  }

  /**
   * Reads what people write: {@code beginning}, {@code now}, a time such as {@code
   * 2026-02-01T08:00:00Z}, or a position as it is printed.
   *
   * @throws IllegalArgumentException if {@code text} is none of them
   */
  static StartAt parse(String text) {
    return switch (text) {
      case "beginning" -> beginning();
      case "now" -> now();
      default -> text.contains("-") ? parseTime(text) : position(Position.parse(text));
    };
  }

  private static StartAt parseTime(String text) {
    try {
      return time(Instant.parse(text));
    } catch (DateTimeParseException wrong) {
      throw new IllegalArgumentException(
          "'%s' is no time; write it as 2026-02-01T08:00:00Z".formatted(text), wrong);
    }
  }
}
