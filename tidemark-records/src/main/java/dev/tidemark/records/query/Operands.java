package dev.tidemark.records.query;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the values that queries compare fields with. */
final class Operands {
  private Operands() {}

  /**
   * {@code column}, if it has a single value that can be compared.
   *
   * @throws IllegalArgumentException with an alternative if it has not
   */
  static ColumnSpec single(String field, FieldType type, ColumnSpec column) {
    String instead =
        switch (type) {
          case FieldType.Scalar scalar -> "";
          case FieldType.Constants constants -> "";
          case FieldType.Nested nested -> "a nested record; ask for one of its fields";
          case FieldType.ListOf list -> "a list; ask with contains or anyMatch for its elements";
          case FieldType.SetOf set -> "a set; ask with contains or anyMatch for its elements";
          case FieldType.MapOf map -> "a map; ask with containsKey or containsValue";
        };
    if (!instead.isEmpty()) {
      throw new IllegalArgumentException("The field '%s' is %s".formatted(field, instead));
    }
    return column;
  }

  /**
   * {@code value} as an element of a key.
   *
   * @throws IllegalArgumentException if it is null, of another type, or cannot be part of a key
   */
  static Object element(String field, FieldType type, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "The field '%s' is compared with null, which is never true; ask with isNull or isNotNull"
              .formatted(field));
    }
    try {
      Object element = Objects.requireNonNull(KeyElements.element(type, value));
      Tuple.of(element).pack();
      return element instanceof byte[] bytes ? bytes.clone() : element;
    } catch (ClassCastException mismatch) {
      throw new IllegalArgumentException(
          "The field '%s' is %s; it is compared with a %s"
              .formatted(field, type, value.getClass().getName()),
          mismatch);
    } catch (IllegalArgumentException unfit) {
      throw new IllegalArgumentException(
          "The field '%s' is compared with a value that no key can hold: %s"
              .formatted(field, unfit.getMessage()),
          unfit);
    }
  }
}
