package dev.tidemark.testkit.internal.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a list that fails a test shorter while it still fails. */
public final class Shrinker {
  private Shrinker() {}

  /** Leaves out ever smaller pieces of {@code items} as long as {@code stillFails}. */
  public static <T> List<T> shrink(List<T> items, Predicate<List<T>> stillFails) {
    List<T> shortest = items;
    for (int piece = Math.max(1, items.size() / 2); piece >= 1; piece /= 2) {
      int at = 0;
      while (at < shortest.size()) {
        List<T> candidate = new ArrayList<>(shortest);
        candidate.subList(at, Math.min(at + piece, shortest.size())).clear();
        if (stillFails.test(candidate)) {
          shortest = candidate;
        } else {
          at += piece;
        }
      }
    }
    return shortest;
  }
}
