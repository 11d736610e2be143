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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of fields whose types are known at run time only. */
public final class DynamicValues {
  private DynamicValues() {}

  /** What a field without elements holds: an empty collection, or null for other types. */
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

  /**
   * {@code value} as a field of {@code type} holds it, copied where it could change.
   *
   * @throws IllegalArgumentException naming {@code field} if it is of another type
   */
  public static Object checked(String field, FieldType type, Object value) {
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

  /** Whether two sets of values are equal, arrays by their elements. */
  public static boolean equal(Map<Integer, Object> one, Map<Integer, Object> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(
                entry ->
                    Arrays.deepEquals(
                        new @Nullable Object[] {entry.getValue()},
                        new @Nullable Object[] {other.get(entry.getKey())}));
  }

  /** {@code value} for people. */
  public static String text(Object value) {
    return value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
  }
}
