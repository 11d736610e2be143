package dev.tidemark.records;

import dev.tidemark.records.internal.space.Space;

/** Lets tests in other packages see what is behind the public face. */
public final class Internals {
  private Internals() {}

  /** What is behind {@code space}. */
  public static Space of(RecordSpace space) {
    return space.internals();
  }
}
