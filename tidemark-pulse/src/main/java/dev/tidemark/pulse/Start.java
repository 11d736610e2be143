package dev.tidemark.pulse;

import java.time.Instant;

/** Where in a stream a reader or a new sink begins. */
public sealed interface Start {
  /** With the first event added from now on. */
  static Start newest() {
    return new Newest();
  }

  /** With the oldest event that is there. */
  static Start oldest() {
    return new After(EventId.ZERO);
  }

  /** With the first event behind {@code id}; with the oldest left if that one is gone. */
  static Start after(EventId id) {
    return new After(id);
  }

  /** With the first event that was added at {@code time} or later. */
  static Start at(Instant time) {
    return new At(time);
  }

  /** See {@link #newest}. */
  record Newest() implements Start {}

  /** See {@link #after}. */
  record After(EventId id) implements Start {}

  /** See {@link #at}. */
  record At(Instant time) implements Start {}
}
