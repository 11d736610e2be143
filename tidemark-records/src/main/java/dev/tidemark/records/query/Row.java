package dev.tidemark.records.query;

import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The selected fields of a record, or the fields and aggregates of a group. Immutable.
 *
 * <p>Decimal numbers come without trailing zeros, whether read from a record or an index.
 */
public final class Row {
  private final Header header;
  private final @Nullable Object[] values;

  Row(Header header, @Nullable Object[] values) {
    this.header = header;
    this.values = values;
  }

  /**
   * The columns of rows.
   *
   * @param columns the columns, by which values are found
   * @param names their names
   */
  record Header(List<ColumnSpec> columns, List<String> names) {
    Header {
      columns = List.copyOf(columns);
      names = List.copyOf(names);
    }
  }

  /**
   * The value of {@code field}; null where the record has none.
   *
   * @throws IllegalArgumentException if the query did not select it
   */
  public <V> @Nullable V get(Field<?, V> field) {
    return cast(value(field.column(), field.name()));
  }

  /**
   * The value of {@code aggregate}; null if there is none, as for the smallest of no values.
   *
   * @throws IllegalArgumentException if the query did not select it
   */
  public <V> @Nullable V get(Aggregate<?, V> aggregate) {
    return cast(value(aggregate.spec().key(), aggregate.toString()));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <V> @Nullable V cast(@Nullable Object value) {
    return (V) value; // a column has values of the type of its field
  }

  private @Nullable Object value(ColumnSpec column, String name) {
    int place = header.columns().indexOf(column);
    if (place < 0) {
      throw new IllegalArgumentException(
          "The row has no %s; the query asked for %s".formatted(name, header.names()));
    }
    return values[place];
  }

  /** All values in the order of the selection. */
  public List<@Nullable Object> values() {
    List<@Nullable Object> all = new ArrayList<>(values.length);
    for (Object value : values) {
      all.add(value);
    }
    return Collections.unmodifiableList(all);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row that
        && header.equals(that.header)
        && Arrays.deepEquals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Row[");
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ", ").append(header.names().get(i)).append('=').append(values[i]);
    }
    return text.append(']').toString();
  }
}
