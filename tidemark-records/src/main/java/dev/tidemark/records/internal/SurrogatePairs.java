package dev.tidemark.records.internal;

/** Finds text that UTF-8 has no form for, and that would be stored as question marks. */
public final class SurrogatePairs {
  private SurrogatePairs() {}

  /** Where {@code text} has half a surrogate pair first; -1 if it has none. */
  public static int halfIn(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
