package dev.tidemark.node.internal.console;

import dev.tidemark.kv.Key;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys and values as people write them, the way {@link Key#toString} prints keys: a tuple such as
 * {@code ("users", 42)}, text with {@code \xHH} for other bytes, or a prefix of such text, a slash
 * and a tuple.
 */
public final class KeySyntax {
  private KeySyntax() {}

  /**
   * The bytes that {@code text} stands for.
   *
   * @throws Misuse saying what is wrong with it
   */
  public static Key parse(String text) {
    int tuple = text.startsWith("(") ? 0 : text.indexOf("/(") + 1;
    if ((tuple > 0 || text.startsWith("(")) && text.endsWith(")")) {
      Key prefix = tuple == 0 ? Key.EMPTY : Key.of(bytes(text.substring(0, tuple - 1)));
      return prefix.append(new TupleParser(text.substring(tuple)).parse().pack());
    }
    return Key.of(bytes(text));
  }

  /** Text in UTF-8, with {@code \xHH} for a byte and {@code \\} for a backslash. */
  public static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < text.length()) {
      int point = text.codePointAt(i);
      if (point != '\\') {
        bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(point);
      } else if (text.startsWith("\\\\", i)) {
        bytes.write('\\');
        i += 2;
      } else {
        bytes.write(escape(text, i));
        i += 4;
      }
    }
    return bytes.toByteArray();
  }

  private static int escape(String text, int at) {
    if (text.startsWith("\\x", at) && at + 4 <= text.length()) {
      String digits = text.substring(at + 2, at + 4);
      if (digits.matches("[0-9a-fA-F]{2}")) {
        return HexFormat.fromHexDigits(digits);
      }
    }
    throw new Misuse(
        "'%s' has a backslash that is followed neither by x and two digits nor by another one"
            .formatted(text));
  }

  /** How {@code key} is written. */
  public static String print(Key key) {
    String described = key.describe();
    return key.size() == 0 ? "" : described.substring(described.indexOf(" = ") + 3);
  }

  /** The bytes of a value: text where they are valid UTF-8 without controls, else escaped. */
  public static String print(byte[] value) {
    String text = new String(value, StandardCharsets.UTF_8);
    boolean plain =
        Arrays.equals(text.getBytes(StandardCharsets.UTF_8), value)
            && text.codePoints().noneMatch(Character::isISOControl);
    if (plain) {
      return text.replace("\\", "\\\\");
    }
    StringBuilder out = new StringBuilder();
    for (byte b : value) {
      if (b >= ' ' && b < 0x7f && b != '\\') {
        out.append((char) b);
      } else {
        out.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    return out.toString();
  }
}
