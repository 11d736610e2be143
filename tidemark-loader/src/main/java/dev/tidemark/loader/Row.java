package dev.tidemark.loader;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table, or the deletion of one, with the message that it comes from.
 *
 * <p>Values have the types that {@link ColumnType} names and the order of the table's columns.
 */
public final class Row {
  private final Message message;
  private final @Nullable Object[] values;
  private final boolean deletion;

  private Row(Message message, @Nullable Object[] values, boolean deletion) {
    this.message = message;
    this.values = toMicroseconds(values);
    this.deletion = deletion;
  }

  /** Warehouses keep microseconds; keys that differ by less would be one there and two here. */
  private static @Nullable Object[] toMicroseconds(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Instant instant) {
        values[i] = Message.toMicros(instant);
      }
    }
    return values;
  }

  /** A row with {@code values} in the order of the columns; the array is taken over. */
  public static Row of(Message message, @Nullable Object... values) {
    return new Row(message, values, false);
  }

  /** The deletion of the row whose key columns are in {@code values}; the others are ignored. */
  public static Row deletion(Message message, @Nullable Object... values) {
    return new Row(message, values, true);
  }

  /** The message that the row comes from. */
  public Message message() {
    return message;
  }

  /** Whether the row with this key is to be deleted. */
  public boolean isDeletion() {
    return deletion;
  }

  /** The value of the column with this number, the first being 0; null for none. */
  public @Nullable Object value(int column) {
    return values[column];
  }

  /** How many values there are. */
  public int size() {
    return values.length;
  }

  /**
   * The values of the key columns of {@code table}.
   *
   * @throws IllegalArgumentException if one is null
   */
  public List<Object> key(Table table) {
    List<Object> key = new ArrayList<>(table.keyColumns().size());
    for (int column : table.keyColumns()) {
      Object value = values[column];
      if (value == null) {
        throw new IllegalArgumentException(
            "Column '%s' of table '%s' is part of the key and has no value"
                .formatted(table.columns().get(column).name(), table.name()));
      }
      key.add(value);
    }
    return key;
  }

  @Override
  public String toString() {
    return (deletion ? "deletion of " : "") + Arrays.toString(values) + " from " + message;
  }
}
