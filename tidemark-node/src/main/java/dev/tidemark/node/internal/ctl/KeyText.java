package dev.tidemark.node.internal.ctl;

import dev.tidemark.kv.Key;
import java.nio.charset.StandardCharsets;

/**
 * Keys as an operator reads and writes them: text where it is plain, else {@code 0x} and digits.
 */
final class KeyText {
  private static final String HEX = "0x";

  private KeyText() {}

  static String of(Key key) {
    String text = new String(key.toByteArray(), StandardCharsets.US_ASCII);
    boolean plain =
        !text.isEmpty()
            && !text.startsWith(HEX)
            && text.chars().allMatch(character -> character > ' ' && character < 0x7f);
    return plain ? text : HEX + key.toHex();
  }

  static Key parse(String text) {
    return text.startsWith(HEX) ? Key.hex(text.substring(HEX.length())) : Key.utf8(text);
  }
}
