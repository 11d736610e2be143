package dev.tidemark.kv.spi;

import java.nio.charset.StandardCharsets;

/** Texts as bytes from which the same texts come back. */
public final class Utf8 {
  private Utf8() {}

  /**
   * The UTF-8 bytes of {@code text}. Java would write a question mark for half a surrogate pair, so
   * that different texts had the same bytes.
   *
   * @throws IllegalArgumentException if it has one, naming it as {@code what}
   */
  public static byte[] bytes(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (text.codePointAt(i) <= Character.MAX_VALUE) {
          throw new IllegalArgumentException(
              "%s has half a surrogate pair at index %d, which has no UTF-8 form"
                  .formatted(what, i));
        }
        i++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
