package dev.tidemark.node.internal.command;

import java.util.Collection;
import java.util.List;

/** Names that somebody may have meant who typed another one. */
final class Similar {
  private static final int SHOWN = 3;
  private static final int SHORT = 4;

  private Similar() {}

  /**
   * Those of {@code names} that differ from {@code word} by at most a third of its letters, or by
   * two.
   */
  static List<String> to(String word, Collection<String> names) {
    int allowed = word.length() < SHORT ? 1 : Math.max(2, word.length() / 3);
    return names.stream()
        .filter(name -> distance(word, name) <= allowed)
        .sorted((one, other) -> Integer.compare(distance(word, one), distance(word, other)))
        .limit(SHOWN)
        .toList();
  }

  /** The distance of Levenshtein: letters to insert, to remove or to replace. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
