package dev.tidemark.records.internal;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.IndexKind;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of entries that belong to one record each: the columns, for VERSION the versionstamp,
 * and what of the primary key is not among the columns.
 */
final class EntryLayout {
  private final Columns columns;
  private final boolean stamped;
  private final PrimaryKeyPlace place;

  private EntryLayout(Columns columns, boolean stamped, PrimaryKeyPlace place) {
    this.columns = columns;
    this.stamped = stamped;
    this.place = place;
  }

  static EntryLayout of(RecordType<?> type, IndexSpec index) {
    boolean stamped = index.kind() == IndexKind.VERSION;
    return new EntryLayout(
        Columns.of(type, index.columns()),
        stamped,
        PrimaryKeyPlace.of(type.spec().primaryKey(), index.columns(), stamped ? 1 : 0));
  }

  Columns columns() {
    return columns;
  }

  /** How many elements come before what is left of the primary key. */
  int width() {
    return columns.size() + (stamped ? 1 : 0);
  }

  /** Whether the last of these elements is a versionstamp. */
  boolean isStamped() {
    return stamped;
  }

  /** The key of the entry that {@code row} of a record gives; without its versionstamp. */
  Tuple key(@Nullable Object[] row, Tuple primaryKey) {
    Tuple values = Tuple.of(row);
    return (stamped ? values.append(null) : values).concat(place.rest(primaryKey));
  }

  /** The keys of the entries that {@code record} gives, each once. */
  List<Tuple> keys(Object record, Tuple primaryKey) {
    List<@Nullable Object[]> rows = columns.rows(record);
    return rows.size() == 1
        ? List.of(key(rows.getFirst(), primaryKey))
        : rows.stream().map(row -> key(row, primaryKey)).distinct().toList();
  }

  /** The keys of those entries that have a value in the last column. */
  List<Tuple> keysWithValue(Object record, Tuple primaryKey) {
    int last = columns.size() - 1;
    return columns.rows(record).stream()
        .filter(row -> !columns.isNull(row, last))
        .map(row -> key(row, primaryKey))
        .distinct()
        .toList();
  }

  /** The primary key in the key of an entry. */
  Tuple primaryKey(Tuple key) {
    return place.primaryKey(key);
  }
}
