package dev.tidemark.kv.internal;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/*
 * What is printed tells the bytes exactly, unless it is cut: "prefix/(tuple)" is the prefix followed
 * by the tuple's only packed form, and a slash within a prefix is escaped. The prefix itself is a
 * guess: the shortest one after which the rest is a tuple that begins with text. Without text at its
 * begin a "tuple" behind arbitrary bytes would often be a coincidence.
 */

/** Prints keys for people. */
public final class KeyPrinter {
  private static final int LENGTH_MAX = 300;
  private static final int PREFIX_MAX = 16;

  private KeyPrinter() {}

  /** The key as a tuple where it is one, escaped otherwise. Cut where it is very long. */
  public static String print(byte[] key) {
    return cut(printAll(key));
  }

  /** The key in hexadecimal digits and as {@link #print} shows it, but not cut. */
  public static String describe(byte[] key) {
    return HexFormat.of().formatHex(key) + " = " + printAll(key);
  }

  public static String cut(String text) {
    if (text.length() <= LENGTH_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LENGTH_MAX - 1)) ? LENGTH_MAX - 1 : LENGTH_MAX;
    return text.substring(0, end) + "… (%,d more characters)".formatted(text.length() - end);
  }

  private static String printAll(byte[] key) {
    if (key.length == 0) {
      return "<empty>";
    }
    for (int prefix = 0; prefix <= Math.min(PREFIX_MAX, key.length - 1); prefix++) {
      if (prefix == 0 || isText(key[prefix])) {
        TupleScan tuple = tuple(key, prefix, key.length);
        if (tuple != null) {
          return prefix(key, prefix) + print(key, tuple);
        }
        // The end of a range is a tuple followed by ff.
        if (key[key.length - 1] == TupleCode.ESCAPE && key.length - 1 > prefix) {
          tuple = tuple(key, prefix, key.length - 1);
          if (tuple != null) {
            return prefix(key, prefix) + print(key, tuple) + "\\xff";
          }
        }
      }
    }
    return escaped(key);
  }

  private static boolean isText(byte code) {
    return code == TupleCode.STRING || code == TupleCode.BYTES;
  }

  private static @Nullable TupleScan tuple(byte[] key, int begin, int end) {
    try {
      return TupleScan.of(key, begin, end);
    } catch (MalformedBytesException notATuple) {
      return null;
    }
  }

  private static String prefix(byte[] key, int length) {
    return length == 0 ? "" : escaped(key, 0, length, '/') + "/";
  }

  private static String print(byte[] key, TupleScan tuple) {
    return print(key, tuple.starts(), tuple.size());
  }

  /** The first {@code size} elements, of which {@code starts} says where they begin. */
  public static String print(byte[] bytes, int[] starts, int size) {
    StringBuilder out = new StringBuilder();
    print(bytes, starts, size, out);
    return out.toString();
  }

  private static void print(byte[] bytes, int[] starts, int size, StringBuilder out) {
    out.append('(');
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        out.append(", ");
      }
      element(bytes, starts[i], starts[i + 1], out);
    }
    out.append(')');
  }

  private static void element(byte[] bytes, int begin, int end, StringBuilder out) {
    switch (bytes[begin]) {
      case TupleCode.NULL -> out.append("null");
      case TupleCode.NESTED -> {
        TupleScan nested = TupleScan.ofNested(bytes, begin + 1, end - 1);
        print(bytes, nested.starts(), nested.size(), out);
      }
      case TupleCode.STRING -> quote(TupleDecoder.string(bytes, begin, end), out);
      case TupleCode.BYTES -> {
        byte[] value = TupleDecoder.byteString(bytes, begin, end);
        out.append("b\"").append(escaped(value, 0, value.length, '"')).append('"');
      }
      case TupleCode.FALSE -> out.append(false);
      case TupleCode.TRUE -> out.append(true);
      case TupleCode.FLOAT -> out.append(real(TupleDecoder.real32(bytes, begin))).append('f');
      case TupleCode.DOUBLE -> out.append(real(TupleDecoder.real64(bytes, begin)));
      case TupleCode.UUID -> out.append(TupleDecoder.uuid(bytes, begin));
      case TupleCode.VERSIONSTAMP -> out.append(StampBytes.print(bytes, begin + 1));
      default -> out.append(TupleDecoder.bigInteger(bytes, begin));
    }
  }

  private static String real(float number) {
    return Float.isNaN(number)
        ? "NaN:%08x".formatted(Float.floatToRawIntBits(number))
        : Float.toString(number);
  }

  private static String real(double number) {
    return Double.isNaN(number)
        ? "NaN:%016x".formatted(Double.doubleToRawLongBits(number))
        : Double.toString(number);
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    text.codePoints()
        .forEach(
            point -> {
              if (point == '"' || point == '\\') {
                out.append('\\').appendCodePoint(point);
              } else if (isPrintable(point)) {
                out.appendCodePoint(point);
              } else {
                out.append("\\u{%x}".formatted(point));
              }
            });
    out.append('"');
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** The bytes as ASCII where they are printable, escaped otherwise. */
  public static String escaped(byte[] bytes) {
    return escaped(bytes, 0, bytes.length, '\\');
  }

  private static String escaped(byte[] bytes, int begin, int end, char special) {
    StringBuilder out = new StringBuilder();
    for (int i = begin; i < end; i++) {
      byte b = bytes[i];
      if (b >= 0x20 && b < 0x7f && b != '\\' && b != special) {
        out.append((char) b);
      } else {
        out.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    return out.toString();
  }
}
