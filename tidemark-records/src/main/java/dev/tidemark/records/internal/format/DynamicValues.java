package dev.tidemark.records.internal.format;

import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.schema.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Operations on values whose types are known only at run time. */
public final class DynamicValues {
  private DynamicValues() {}

  /** The value of a field without elements: an empty collection, or null for other types. */
  public static @Nullable Object empty(FieldType type) {
    return switch (type) {
      case FieldType.ListOf list -> List.of();
      case FieldType.SetOf set -> Set.of();
      case FieldType.MapOf map -> Map.of();
      case FieldType.Scalar scalar -> null;
      case FieldType.Constants constants -> null;
      case FieldType.Nested nested -> null;
    };
  }

  /** The default value that protobuf gives to {@code type}. */
  public static Object zero(FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> false;
      case BYTE -> (byte) 0;
      case SHORT -> (short) 0;
      case INT -> 0;
      case LONG -> 0L;
      case CHAR -> (char) 0;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
      case STRING -> "";
      case BYTES -> new byte[0];
      case UUID -> new UUID(0, 0);
      case BIG_INTEGER -> BigInteger.ZERO;
      case DECIMAL -> BigDecimal.ZERO;
      case INSTANT -> Instant.EPOCH;
      case DATE -> LocalDate.EPOCH;
      case DATE_TIME -> LocalDate.EPOCH.atStartOfDay();
      case DURATION -> Duration.ZERO;
    };
  }

  /**
   * Checks {@code value} for a field of {@code type}, and copies it if it is mutable.
   *
   * @throws IllegalArgumentException naming {@code field}, if the value is null or of another type
   */
  public static Object checked(String field, FieldType type, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "%s is %s; null was given. Leave it out, or take the field away with without"
              .formatted(field, type));
    }
    switch (type) {
      case FieldType.Scalar scalar -> {
        if (javaType(scalar).isInstance(value)) {
          return value instanceof byte[] bytes ? bytes.clone() : value;
        }
      }
      case FieldType.Constants constants -> {
        if (value instanceof String name && constants.constants().contains(name)) {
          return name;
        }
      }
      case FieldType.Nested nested -> {
        if (value instanceof DynamicRecord record && record.type().equals(nested.name())) {
          return record;
        }
      }
      case FieldType.ListOf list -> {
        if (value instanceof Collection<?> elements) {
          return List.copyOf(checkedAll(field, list.element(), elements));
        }
      }
      case FieldType.SetOf set -> {
        if (value instanceof Collection<?> elements) {
          return new LinkedHashSet<>(checkedAll(field, set.element(), elements));
        }
      }
      case FieldType.MapOf map -> {
        if (value instanceof Map<?, ?> entries) {
          Map<Object, Object> all = new LinkedHashMap<>();
          entries.forEach(
              (key, held) ->
                  all.put(checked(field, map.key(), key), checked(field, map.value(), held)));
          return all;
        }
      }
    }
    throw new IllegalArgumentException(
        "%s is %s; %s is %s".formatted(field, type, text(value), value.getClass().getName()));
  }

  private static List<Object> checkedAll(String field, FieldType element, Collection<?> elements) {
    List<Object> all = new ArrayList<>(elements.size());
    elements.forEach(one -> all.add(checked(field, element, one)));
    return all;
  }

  private static Class<?> javaType(FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> Boolean.class;
      case BYTE -> Byte.class;
      case SHORT -> Short.class;
      case INT -> Integer.class;
      case LONG -> Long.class;
      case CHAR -> Character.class;
      case FLOAT -> Float.class;
      case DOUBLE -> Double.class;
      case STRING -> String.class;
      case BYTES -> byte[].class;
      case UUID -> UUID.class;
      case BIG_INTEGER -> BigInteger.class;
      case DECIMAL -> BigDecimal.class;
      case INSTANT -> Instant.class;
      case DATE -> LocalDate.class;
      case DATE_TIME -> LocalDateTime.class;
      case DURATION -> Duration.class;
    };
  }

  /** Whether two maps of values are equal, arrays by their elements. */
  public static boolean equal(Map<Integer, Object> one, Map<Integer, Object> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(
                entry ->
                    Arrays.deepEquals(
                        new @Nullable Object[] {entry.getValue()},
                        new @Nullable Object[] {other.get(entry.getKey())}));
  }

  /** {@code value} so that its holder cannot change what it came from. */
  public static Object unmodifiable(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.clone();
      case List<?> list -> Collections.unmodifiableList(list);
      case Set<?> set -> Collections.unmodifiableSet(set);
      case Map<?, ?> map -> Collections.unmodifiableMap(map);
      default -> value;
    };
  }

  /** {@code value} as text for people. */
  public static String text(Object value) {
    return value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
  }
}
