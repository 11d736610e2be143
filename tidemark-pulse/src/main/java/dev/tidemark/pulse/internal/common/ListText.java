package dev.tidemark.pulse.internal.common;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a list of values: a JSON array of strings, {@code ["a","b"]}, the same on every
 * store.
 *
 * <p>Only the quote, the backslash and control characters are escaped; all other bytes stay as they
 * are, so that texts give valid JSON in UTF-8 and values that are no text survive as well. Redis'
 * {@code cjson} treats bytes the same way. Bytes that are no such array are read as values between
 * commas, which is how lists were kept before; no bytes at all are no values.
 */
public final class ListText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final byte[] text;
  private int at;

  private ListText(byte[] text) {
    this.text = text;
  }

  /** The bytes of a list. */
  public static byte[] encode(List<byte[]> values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      writeString(out, values.get(i));
    }
    out.write(']');
    return out.toByteArray();
  }

  private static void writeString(ByteArrayOutputStream out, byte[] value) {
    out.write('"');
    for (byte each : value) {
      if (each == '"' || each == '\\') {
        out.write('\\');
        out.write(each);
      } else if (each >= 0 && each < 0x20) {
        out.writeBytes(new byte[] {'\\', 'u', '0', '0', HEX[each >> 4], HEX[each & 15]});
      } else {
        out.write(each);
      }
    }
    out.write('"');
  }

  /** The values of a list. */
  public static List<byte[]> decode(byte[] text) {
    return new ListText(text).array().orElseGet(() -> betweenCommas(text));
  }

  private static List<byte[]> betweenCommas(byte[] text) {
    List<byte[]> values = new ArrayList<>();
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    for (byte each : text) {
      if (each == ',') {
        values.add(value.toByteArray());
        value.reset();
      } else {
        value.write(each);
      }
    }
    if (text.length > 0) {
      values.add(value.toByteArray());
    }
    return values;
  }

  /** The values, if all of the text is an array of strings. */
  private Optional<List<byte[]>> array() {
    List<byte[]> values = new ArrayList<>();
    if (!skip('[')) {
      return Optional.empty();
    }
    if (!skip(']')) {
      do {
        Optional<byte[]> value = string();
        if (value.isEmpty()) {
          return Optional.empty();
        }
        values.add(value.get());
      } while (skip(','));
      if (!skip(']')) {
        return Optional.empty();
      }
    }
    skipSpace();
    return at == text.length ? Optional.of(values) : Optional.empty();
  }

  private Optional<byte[]> string() {
    if (!skip('"')) {
      return Optional.empty();
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    while (at < text.length && text[at] != '"') {
      byte each = text[at++];
      if (each != '\\') {
        value.write(each);
      } else if (!escape(value)) {
        return Optional.empty();
      }
    }
    return at++ < text.length ? Optional.of(value.toByteArray()) : Optional.empty();
  }

  private boolean escape(ByteArrayOutputStream value) {
    if (at == text.length) {
      return false;
    }
    byte kind = text[at++];
    switch (kind) {
      case '"', '\\', '/' -> value.write(kind);
      case 'b' -> value.write('\b');
      case 'f' -> value.write('\f');
      case 'n' -> value.write('\n');
      case 'r' -> value.write('\r');
      case 't' -> value.write('\t');
      case 'u' -> {
        return unicode(value);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** What follows {@code \\u}: four digits, and for a character beyond 16 bits four more. */
  private boolean unicode(ByteArrayOutputStream value) {
    int unit = digits();
    if (unit < 0 || Character.isLowSurrogate((char) unit)) {
      return false;
    }
    int character = unit;
    if (Character.isHighSurrogate((char) unit)) {
      if (at + 2 > text.length || text[at++] != '\\' || text[at++] != 'u') {
        return false;
      }
      int low = digits();
      if (low < 0 || !Character.isLowSurrogate((char) low)) {
        return false;
      }
      character = Character.toCodePoint((char) unit, (char) low);
    }
    value.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private int digits() {
    int number = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < text.length ? Character.digit(text[at++], 16) : -1;
      if (digit < 0) {
        return -1;
      }
      number = number << 4 | digit;
    }
    return number;
  }

  private boolean skip(char wanted) {
    skipSpace();
    if (at < text.length && text[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (at < text.length
        && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
      at++;
    }
  }
}
