package dev.tidemark.records.internal.format;

import java.nio.charset.StandardCharsets;

/** Finds text that UTF-8 has no form for, and that would be stored as question marks. */
public final class SurrogatePairs {
  private SurrogatePairs() {}

  /**
   * Whether {@code utf8}, which was made of {@code text}, is all of it. What is lost became a
   * question mark, so nearly all text is known to be whole by a look at its bytes.
   */
  public static boolean areWhole(String text, byte[] utf8) {
    for (byte each : utf8) {
      if (each == '?') {
        return new String(utf8, StandardCharsets.UTF_8).equals(text);
      }
    }
    return true;
  }

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
