package dev.tidemark.records.internal.keys;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position of the primary key in the key of an index entry: behind the columns, or among them.
 */
public final class PrimaryKeyPlace {
  private static final int BEHIND = -1;

  private final int columns;

  /** For each part of the primary key the column that holds it, or {@link #BEHIND}. */
  private final int[] places;

  private final boolean allBehind;

  private PrimaryKeyPlace(int columns, int[] places) {
    this.columns = columns;
    this.places = places;
    this.allBehind = Arrays.stream(places).allMatch(place -> place == BEHIND);
  }

  /** The position behind {@code columns} and {@code others} more elements. */
  public static PrimaryKeyPlace of(List<Integer> primaryKey, List<ColumnSpec> columns, int others) {
    return new PrimaryKeyPlace(
        columns.size() + others,
        primaryKey.stream().mapToInt(field -> columns.indexOf(ColumnSpec.of(field))).toArray());
  }

  /** The parts of {@code primaryKey} that follow the columns of an entry. */
  public Tuple rest(Tuple primaryKey) {
    if (allBehind) {
      return primaryKey;
    }
    List<@Nullable Object> rest = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      if (places[i] == BEHIND) {
        rest.add(primaryKey.get(i));
      }
    }
    return Tuple.of(rest.toArray());
  }

  /** Extracts the primary key from the key of an entry. */
  public Tuple primaryKey(Tuple entry) {
    if (allBehind) {
      return entry.subTuple(columns, columns + places.length);
    }
    @Nullable Object[] parts = new @Nullable Object[places.length];
    int next = columns;
    for (int i = 0; i < places.length; i++) {
      parts[i] = entry.get(places[i] == BEHIND ? next++ : places[i]);
    }
    return Tuple.of(parts);
  }
}
