package dev.tidemark.loader.internal.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON by the letter of RFC 8259: objects as maps, arrays as lists, numbers as {@link
 * BigDecimal}, null as null. A name that an object has twice is refused, as is anything behind the
 * value.
 */
public final class JsonReader {
  private static final int DEPTH_MAX = 64;
  private static final int NUMBER_MAX = 400;

  /** The character that replaces malformed bytes; well-formed bytes may encode it too. */
  private static final char REPLACEMENT = '\ufffd';

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * The object in {@code body}.
   *
   * @throws IllegalArgumentException if it is no JSON object, saying what is wrong and where
   */
  public static Map<String, @Nullable Object> object(byte[] body) {
    JsonReader reader = new JsonReader(utf8(body));
    reader.blanks();
    if (reader.peek() != '{') {
      throw reader.refused("a JSON object begins with '{'");
    }
    Map<String, @Nullable Object> object = reader.object();
    reader.blanks();
    if (reader.at < reader.text.length()) {
      throw reader.refused("the object has ended before");
    }
    return object;
  }

  private static String utf8(byte[] body) {
    // Far cheaper than a decoder of its own, which is asked where this had to replace something.
    String lenient = new String(body, StandardCharsets.UTF_8);
    if (lenient.indexOf(REPLACEMENT) < 0) {
      return lenient;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException malformed) {
      throw new IllegalArgumentException("The body is no UTF-8", malformed);
    }
  }

  private @Nullable Object value() {
    blanks();
    char c = peek();
    return switch (c) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    deeper();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    at++;
    blanks();
    if (peek() == '}') {
      at++;
    } else {
      do {
        blanks();
        String name = string();
        blanks();
        expect(':');
        if (members.containsKey(name)) {
          throw refused("'" + name + "' is there twice");
        }
        members.put(name, value());
      } while (more('}'));
    }
    depth--;
    return members;
  }

  private List<@Nullable Object> array() {
    deeper();
    List<@Nullable Object> elements = new ArrayList<>();
    at++;
    blanks();
    if (peek() == ']') {
      at++;
    } else {
      do {
        elements.add(value());
      } while (more(']'));
    }
    depth--;
    return elements;
  }

  private void deeper() {
    if (++depth > DEPTH_MAX) {
      throw refused("it is nested deeper than " + DEPTH_MAX);
    }
  }

  private boolean more(char end) {
    blanks();
    if (peek() == end) {
      at++;
      return false;
    }
    expect(',');
    return true;
  }

  private String string() {
    expect('"');
    int begin = at;
    while (at < text.length() && isPlain(text.charAt(at))) {
      at++;
    }
    if (is('"')) {
      return text.substring(begin, at++);
    }
    StringBuilder out = new StringBuilder(text.substring(begin, at));
    while (true) {
      char c = next();
      if (c == '"') {
        return out.toString();
      }
      if (c < ' ') {
        throw refused("a text has a control character");
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  /** Whether {@code c} stands for itself in a text, and does not end it. */
  private static boolean isPlain(char c) {
    return c >= ' ' && c != '"' && c != '\\';
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw refused("'\\" + c + "' is no escape");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char c = next();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw refused("\\u needs four hexadecimal digits");
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw refused("a value was expected");
    }
    at += word.length();
    return value;
  }

  private BigDecimal number() {
    int begin = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (is('.')) {
      at++;
      digits();
    }
    if (is('e') || is('E')) {
      at++;
      if (is('+') || is('-')) {
        at++;
      }
      digits();
    }
    if (at - begin > NUMBER_MAX) {
      throw refused("a number has more than " + NUMBER_MAX + " characters");
    }
    try {
      return new BigDecimal(text.substring(begin, at));
    } catch (NumberFormatException large) {
      throw refused("'" + text.substring(begin, at) + "' is out of range");
    }
  }

  private void digits() {
    int begin = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == begin) {
      throw refused("a value was expected");
    }
  }

  private void blanks() {
    while (is(' ') || is('\t') || is('\n') || is('\r')) {
      at++;
    }
  }

  private boolean is(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private char peek() {
    if (at >= text.length()) {
      throw refused("it ends too early");
    }
    return text.charAt(at);
  }

  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw refused("'" + c + "' was expected");
    }
    at++;
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException("The body is no JSON: " + why + " at character " + at);
  }
}
