package dev.tidemark.node.internal.tour;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Claims that must hold; one that does not ends its step. */
final class Proof {
  private Proof() {}

  /** Fails unless {@code claim} holds; {@code values} are what it was seen from. */
  static void that(boolean holds, String claim, @Nullable Object... values) {
    if (!holds) {
      throw new AssertionError("Not true: " + claim + ". Seen: " + Arrays.toString(values));
    }
  }

  /** Fails unless both numbers are the same. */
  static void same(String what, long expected, long actual) {
    that(expected == actual, what + " is " + expected, actual);
  }
}
