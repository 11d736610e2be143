package dev.tidemark.records.internal.query;

/** Brings conditions into a form that the planner can work with. */
public final class Normalizer {
  private Normalizer() {}

  /** A condition that is true for the same records as {@code condition}. */
  public static Condition normalize(Condition condition) {
    return condition;
  }
}
