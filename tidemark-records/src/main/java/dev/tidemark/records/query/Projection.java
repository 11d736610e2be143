package dev.tidemark.records.query;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a query selects.
 *
 * @param fields the fields
 * @param <R> the Java class of the records
 */
record Projection<R>(List<Field<R, ?>> fields) {
  Projection {
    fields = List.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("Select at least one field");
    }
  }

  /** Whether entries of indexes can hold all of them, so that no record is needed. */
  boolean isOfElements() {
    return fields.stream().allMatch(field -> field.decoder() != null);
  }

  List<ColumnSpec> columns() {
    return fields.stream().map(Field::column).toList();
  }

  Row.Header header() {
    return new Row.Header(columns(), fields.stream().map(Field::name).toList());
  }

  /** The values for a row of elements. */
  @Nullable Object[] ofElements(@Nullable Object[] elements) {
    @Nullable Object[] values = new @Nullable Object[elements.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = decoded(fields.get(i), elements[i]);
    }
    return values;
  }

  private static @Nullable Object decoded(Field<?, ?> field, @Nullable Object element) {
    Function<Object, ?> decoder = field.decoder();
    return element == null || decoder == null ? null : decoder.apply(element);
  }

  /** The values in {@code record}. */
  @Nullable Object[] ofRecord(R record) {
    @Nullable Object[] values = new @Nullable Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      Field<R, ?> field = fields.get(i);
      Object value = field.get(record);
      values[i] =
          field.type() == FieldType.Scalar.DECIMAL
              ? decoded(field, KeyElements.element(field.type(), value))
              : value;
    }
    return values;
  }
}
