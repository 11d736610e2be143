package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.UUID;

/** The parser of single values of fields. */
final class Literals {
  private Literals() {}

  static Object parse(FieldType type, String text) {
    return switch (type) {
      case FieldType.Scalar scalar -> scalar(scalar, text);
      case FieldType.Constants constants -> constant(constants, text);
      case FieldType.Nested nested -> throw notOneValue("a nested record", text);
      case FieldType.ListOf list -> throw notOneValue("a list", text);
      case FieldType.SetOf set -> throw notOneValue("a set", text);
      case FieldType.MapOf map -> throw notOneValue("a map", text);
    };
  }

  private static Object scalar(FieldType.Scalar type, String text) {
    try {
      return switch (type) {
        case BOOLEAN -> bool(text);
        case BYTE -> Byte.valueOf(text);
        case SHORT -> Short.valueOf(text);
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case CHAR -> character(text);
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case STRING -> text;
        case BYTES -> HexFormat.of().parseHex(text);
        case UUID -> UUID.fromString(text);
        case BIG_INTEGER -> new BigInteger(text);
        case DECIMAL -> new BigDecimal(text);
        case INSTANT -> Instant.parse(text);
        case DATE -> LocalDate.parse(text);
        case DATE_TIME -> LocalDateTime.parse(text);
        case DURATION -> Duration.parse(text);
      };
    } catch (IllegalArgumentException | DateTimeException wrong) {
      throw new SchemaException(
          "'%s' is not a value of type %s; write it such as %s"
              .formatted(text, type, example(type)));
    }
  }

  private static boolean bool(String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException(text);
  }

  private static char character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException(text);
    }
    return text.charAt(0);
  }

  private static String constant(FieldType.Constants type, String text) {
    if (!type.constants().contains(text)) {
      throw new SchemaException(
          "'%s' is not a constant of %s; it has %s"
              .formatted(text, type.name(), String.join(", ", type.constants())));
    }
    return text;
  }

  private static String example(FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> "true or false";
      case BYTE -> "42, from -128 to 127";
      case SHORT -> "42, from -32768 to 32767";
      case INT, LONG, BIG_INTEGER -> "42";
      case CHAR -> "x, one character";
      case FLOAT, DOUBLE, DECIMAL -> "4.2";
      case STRING -> "text";
      case BYTES -> "00ff, two hexadecimal digits for each byte";
      case UUID -> "123e4567-e89b-12d3-a456-426614174000";
      case INSTANT -> "2026-01-31T12:00:00Z";
      case DATE -> "2026-01-31";
      case DATE_TIME -> "2026-01-31T12:00:00";
      case DURATION -> "PT24H";
    };
  }

  private static SchemaException notOneValue(String what, String text) {
    return new SchemaException(
        "'%s' stands for one value, but the field is %s".formatted(text, what));
  }
}
