package dev.tidemark.node.internal.console;

import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a tuple as {@link Tuple#toString} prints it. Texts may have single quotes too. */
final class TupleParser {
  private static final Pattern WORD = Pattern.compile("[^,()\\s]+");
  private static final Pattern STAMP = Pattern.compile("Versionstamp\\(([0-9a-f]{20}), (\\d+)\\)");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
  private static final Pattern CODE_POINT = Pattern.compile("\\\\u\\{([0-9a-f]{1,6})}");

  private final String text;
  private int at;

  TupleParser(String text) {
    this.text = text;
  }

  /** The whole text as a tuple. */
  Tuple parse() {
    Tuple tuple = tuple();
    if (at != text.length()) {
      throw wrong("nothing more");
    }
    return tuple;
  }

  private Tuple tuple() {
    expect('(');
    Tuple tuple = Tuple.EMPTY;
    skipSpace();
    if (!next(')')) {
      tuple = element(tuple);
      while (!next(')')) {
        expect(',');
        tuple = element(tuple);
      }
    }
    expect(')');
    return tuple;
  }

  private Tuple element(Tuple before) {
    skipSpace();
    Tuple after;
    if (next('(')) {
      after = before.nest(tuple());
    } else if (next('"') || next('\'')) {
      after = before.append(codePoints(quoted()));
    } else if (text.startsWith("b\"", at)) {
      at++;
      after = before.append(KeySyntax.bytes(quoted()));
    } else {
      after = before.append(word());
    }
    skipSpace();
    return after;
  }

  private String quoted() {
    char quote = text.charAt(at++);
    StringBuilder out = new StringBuilder();
    while (at < text.length() && text.charAt(at) != quote) {
      char character = text.charAt(at++);
      boolean escaped =
          character == '\\' && at < text.length() && "\"'".indexOf(text.charAt(at)) >= 0;
      out.append(escaped ? text.charAt(at++) : character);
      if (character == '\\' && !escaped && at < text.length()) {
        out.append(text.charAt(at++)); // The second of two, or the letter that says what follows.
      }
    }
    expect(quote);
    return out.toString();
  }

  private static String codePoints(String quoted) {
    return CODE_POINT
        .matcher(quoted)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))))
        .replace("\\\\", "\\");
  }

  private @Nullable Object word() {
    Matcher stamp = STAMP.matcher(text).region(at, text.length());
    if (stamp.lookingAt()) {
      at = stamp.end();
      return Versionstamp.fromBytes(
          ByteBuffer.allocate(Versionstamp.BYTES)
              .put(HexFormat.of().parseHex(stamp.group(1)))
              .putShort((short) Integer.parseInt(stamp.group(2)))
              .array());
    }
    Matcher word = WORD.matcher(text).region(at, text.length());
    if (!word.lookingAt()) {
      throw wrong("an element");
    }
    Object value = value(word.group());
    at = word.end();
    return value;
  }

  private @Nullable Object value(String word) {
    try {
      return switch (word) {
        case "null" -> null;
        case "true" -> true;
        case "false" -> false;
        default -> {
          if (INTEGER.matcher(word).matches()) {
            BigInteger number = new BigInteger(word);
            yield number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
          }
          if (UUID_TEXT.matcher(word).matches()) {
            yield UUID.fromString(word);
          }
          yield word.endsWith("f") ? (Object) Float.valueOf(word) : Double.valueOf(word);
        }
      };
    } catch (NumberFormatException noNumber) {
      throw wrong("a number, a \"text\", b\"bytes\", true, false, null, a UUID or a (tuple)");
    }
  }

  private boolean next(char character) {
    return at < text.length() && text.charAt(at) == character;
  }

  private void expect(char character) {
    if (!next(character)) {
      throw wrong("'" + character + "'");
    }
    at++;
  }

  private void skipSpace() {
    while (next(' ')) {
      at++;
    }
  }

  private Misuse wrong(String expected) {
    return new Misuse(
        "The tuple %s is wrong at character %d; expected is %s".formatted(text, at + 1, expected));
  }
}
