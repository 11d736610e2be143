package dev.tidemark.node;

/** Claims that must hold; one that does not ends its step. */
final class Proof {
  private Proof() {}

  /** Fails unless {@code holds}, saying what was expected instead. */
  static void that(boolean holds, String claim, Object... values) {
    if (!holds) {
      throw new AssertionError("not true: " + claim.formatted(values));
    }
  }

  /** Fails unless both numbers are the same. */
  static void same(String what, long expected, long actual) {
    that(expected == actual, "%s should be %,d and is %,d", what, expected, actual);
  }
}
