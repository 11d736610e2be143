package dev.tidemark.kv;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/*
 * What is printed tells the bytes exactly, unless it is cut: "prefix/(tuple)" is the prefix followed
 * by the tuple's only packed form, and a slash within a prefix is escaped. The prefix itself is a
 * guess: the shortest one after which the rest is a tuple that begins with text. Without text at its
 * begin a "tuple" behind arbitrary bytes would often be a coincidence.
 */

/** Prints keys for people. */
final class KeyPrinter {
  private static final int LENGTH_MAX = 300;
  private static final int PREFIX_MAX = 16;

  private KeyPrinter() {}

  /** The key as a tuple where it is one, escaped otherwise. Cut where it is very long. */
  static String print(byte[] key) {
    return cut(printAll(key));
  }

  /** The key in hexadecimal digits and as {@link #print} shows it, but not cut. */
  static String describe(byte[] key) {
    return HexFormat.of().formatHex(key) + " = " + printAll(key);
  }

  static String cut(String text) {
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
        Tuple tuple = tuple(key, prefix, key.length);
        if (tuple != null) {
          return prefix(key, prefix) + print(tuple);
        }
        // The end of a range is a tuple followed by ff.
        if (key[key.length - 1] == TupleCode.ESCAPE && key.length - 1 > prefix) {
          tuple = tuple(key, prefix, key.length - 1);
          if (tuple != null) {
            return prefix(key, prefix) + print(tuple) + "\\xff";
          }
        }
      }
    }
    return escaped(key);
  }

  private static boolean isText(byte code) {
    return code == TupleCode.STRING || code == TupleCode.BYTES;
  }

  private static @Nullable Tuple tuple(byte[] key, int begin, int end) {
    try {
      return TupleScan.tuple(key, begin, end);
    } catch (MalformedTupleException notATuple) {
      return null;
    }
  }

  private static String prefix(byte[] key, int length) {
    return length == 0 ? "" : escaped(key, 0, length, '/') + "/";
  }

  /** All elements of {@code tuple}. */
  static String print(Tuple tuple) {
    StringBuilder out = new StringBuilder();
    print(tuple, out);
    return out.toString();
  }

  private static void print(Tuple tuple, StringBuilder out) {
    out.append('(');
    for (int i = 0; i < tuple.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      print(tuple.get(i), out);
    }
    out.append(')');
  }

  private static void print(@Nullable Object element, StringBuilder out) {
    switch (element) {
      case null -> out.append("null");
      case Tuple nested -> print(nested, out);
      case String text -> quote(text, out);
      case byte[] bytes ->
          out.append("b\"").append(escaped(bytes, 0, bytes.length, '"')).append('"');
      case Float number -> out.append(real(number)).append('f');
      case Double number -> out.append(real(number));
      default -> out.append(element);
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
  static String escaped(byte[] bytes) {
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
