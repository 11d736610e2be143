package dev.tidemark.records.internal.format;

import java.nio.charset.StandardCharsets;

/** Finds unpaired surrogates, which UTF-8 cannot encode and would store as question marks. */
public final class SurrogatePairs {
  private SurrogatePairs() {}

  /**
   * Whether {@code utf8} encodes all of {@code text}. An unpaired surrogate becomes a question
   * mark, so bytes without one need no comparison.
   */
  public static boolean areWhole(String text, byte[] utf8) {
    for (byte each : utf8) {
      if (each == '?') {
        return new String(utf8, StandardCharsets.UTF_8).equals(text);
      }
    }
    return true;
  }

  /** The index of the first unpaired surrogate in {@code text}; -1 if there is none. */
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
