package dev.tidemark.node.internal.console;

import dev.tidemark.kv.Key;
import java.nio.charset.StandardCharsets;

/**
 * Keys as an operator reads and writes them: text where it is plain, else {@code 0x} and digits.
 */
public final class KeyText {
  private static final String HEX = "0x";

  private KeyText() {}

  /** The text of {@code key}. */
  public static String of(Key key) {
    String text = new String(key.toByteArray(), StandardCharsets.US_ASCII);
    boolean plain =
        !text.isEmpty()
            && !text.startsWith(HEX)
            && text.chars().allMatch(character -> character > ' ' && character < 0x7f);
    return plain ? text : HEX + key.toHex();
  }

  /** The key that {@code text} stands for. */
  public static Key parse(String text) {
    return text.startsWith(HEX) ? Key.hex(text.substring(HEX.length())) : Key.utf8(text);
  }
}
