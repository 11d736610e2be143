package dev.tidemark.loader.internal.mapping;

import dev.tidemark.loader.ColumnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Values of columns from texts and JSON values. Nothing is guessed: a text that is not exactly a
 * value of its type is refused, and never becomes 0 or null.
 */
public final class Conversion {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final int NUMBER_LENGTH_MAX = 400;
  private static final int SCALE = 9;
  private static final int DIGITS_BEFORE_POINT = 29;
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Conversion() {}

  /**
   * The value that {@code text} stands for.
   *
   * @throws IllegalArgumentException if it stands for none, saying why
   */
  public static Object fromText(ColumnType type, String text) {
    return switch (type) {
      case TEXT -> text;
      case INTEGER -> whole(text);
      case DOUBLE -> number(text);
      case DECIMAL -> decimal(plain(text));
      case BOOLEAN -> truth(text);
      case TIMESTAMP -> moment(text);
      case DATE -> day(text);
      case BYTES -> bytes(text);
    };
  }

  /** The same for a value of a JSON body: text, number or truth. */
  public static Object fromJson(ColumnType type, Object value) {
    return switch (value) {
      case String text -> fromJsonText(type, text);
      case BigDecimal number -> fromNumber(type, number);
      case Boolean truth when type == ColumnType.BOOLEAN -> truth;
      default -> throw wrong(type, value);
    };
  }

  private static Object fromJsonText(ColumnType type, String text) {
    return switch (type) {
      case TEXT, TIMESTAMP, DATE, BYTES -> fromText(type, text);
      case INTEGER, DOUBLE, DECIMAL, BOOLEAN -> throw wrong(type, '"' + text + '"');
    };
  }

  private static Object fromNumber(ColumnType type, BigDecimal number) {
    return switch (type) {
      case INTEGER -> exactly(number);
      case DOUBLE -> finite(number.doubleValue(), number.toString());
      case DECIMAL -> decimal(number);
      case TEXT, BOOLEAN, TIMESTAMP, DATE, BYTES -> throw wrong(type, number);
    };
  }

  private static long whole(String text) {
    if (!isWhole(text)) {
      throw new IllegalArgumentException("it is no whole number, which is digits 0 to 9 only");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException large) {
      throw new IllegalArgumentException("it does not fit into 64 bits", large);
    }
  }

  /**
   * An optional sign and digits 0 to 9. A regular expression would take longer than the rest of a
   * message.
   */
  private static boolean isWhole(String text) {
    return isDigits(text, text.startsWith("-") ? 1 : 0);
  }

  /** Whether {@code text} is digits 0 to 9 from {@code begin} on, and at least one. */
  public static boolean isDigits(String text, int begin) {
    for (int i = begin; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return begin < text.length();
  }

  private static long exactly(BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException inexact) {
      throw new IllegalArgumentException("it is no whole number of 64 bits", inexact);
    }
  }

  private static double number(String text) {
    return finite(plain(text).doubleValue(), text);
  }

  private static double finite(double value, String text) {
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException(text + " is too large for a floating point number");
    }
    return value;
  }

  private static BigDecimal plain(String text) {
    if (text.length() > NUMBER_LENGTH_MAX || !NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("it is no number");
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException large) {
      throw new IllegalArgumentException("its exponent is out of range", large);
    }
  }

  private static BigDecimal decimal(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    if (stripped.scale() > SCALE
        || (long) stripped.precision() - stripped.scale() > DIGITS_BEFORE_POINT) {
      throw new IllegalArgumentException(
          "it has more than %d digits before or %d behind the point"
              .formatted(DIGITS_BEFORE_POINT, SCALE));
    }
    return stripped.setScale(SCALE, RoundingMode.UNNECESSARY);
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("it is neither true nor false");
    };
  }

  private static Instant moment(String text) {
    try {
      return inRange(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException malformed) {
      throw new IllegalArgumentException(
          "it is no moment, which looks like 2026-01-31T12:00:00Z or …+09:00", malformed);
    }
  }

  private static LocalDate day(String text) {
    try {
      LocalDate day = LocalDate.parse(text);
      Instant unused = inRange(day.atStartOfDay().toInstant(ZoneOffset.UTC));
      return day;
    } catch (DateTimeException malformed) {
      throw new IllegalArgumentException("it is no day, which looks like 2026-01-31", malformed);
    }
  }

  /**
   * The moment itself, if warehouses can store it.
   *
   * @throws IllegalArgumentException if its year is before 1 or after 9999
   */
  public static Instant inRange(Instant moment) {
    if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
      throw new IllegalArgumentException("its year is not between 1 and 9999");
    }
    return moment;
  }

  private static byte[] bytes(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("it is no Base64", malformed);
    }
  }

  private static IllegalArgumentException wrong(ColumnType type, Object value) {
    return new IllegalArgumentException("JSON value %s is no %s".formatted(value, type));
  }
}
