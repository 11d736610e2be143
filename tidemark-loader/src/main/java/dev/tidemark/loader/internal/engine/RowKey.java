package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a row, to find others of the same key. The hash of a list would not do: keys such as a
 * point and a second, both counted on, have the same hash again and again.
 */
final class RowKey {
  private static final int MIX = 0x9e37_79b9;
  private static final int UPPER_HALF = 16;

  private final Object[] values;
  private final int hash;

  private RowKey(Object[] values) {
    this.values = values;
    int mixed = 0;
    for (Object value : values) {
      mixed = (mixed ^ value.hashCode()) * MIX;
      mixed ^= mixed >>> UPPER_HALF;
    }
    this.hash = mixed;
  }

  /**
   * The key of {@code row}.
   *
   * @throws IllegalArgumentException if a value of it is null
   */
  static RowKey of(Row row, Table table) {
    List<Object> key = row.key(table);
    return new RowKey(key.toArray());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowKey key && hash == key.hash && Arrays.equals(values, key.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
