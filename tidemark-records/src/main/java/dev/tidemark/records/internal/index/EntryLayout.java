package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.PrimaryKeyPlace;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key layout of entries that belong to one record each: the columns, for VERSION the
 * versionstamp, then the parts of the primary key that are not among the columns.
 */
public final class EntryLayout {
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

  public Columns columns() {
    return columns;
  }

  /** The number of elements before the rest of the primary key. */
  public int width() {
    return columns.size() + (stamped ? 1 : 0);
  }

  /** Whether the last of these elements is a versionstamp. */
  public boolean isStamped() {
    return stamped;
  }

  /** The distinct entries of {@code record}, with {@code value}. */
  List<Entry> entries(Object record, Tuple primaryKey, Tuple value) {
    List<@Nullable Object[]> rows = columns.rows(record);
    return rows.size() == 1
        ? List.of(entry(rows.getFirst(), primaryKey, value))
        : rows.stream().map(row -> entry(row, primaryKey, value)).distinct().toList();
  }

  /**
   * The distinct entries of {@code record} that are not null in the last column, without a value.
   */
  List<Entry> entriesNotNull(Object record, Tuple primaryKey) {
    int last = columns.size() - 1;
    return columns.rows(record).stream()
        .filter(row -> !columns.isNull(row, last))
        .map(row -> entry(row, primaryKey, Tuple.EMPTY))
        .distinct()
        .toList();
  }

  /** An entry by version has null in the place of its versionstamp. */
  private Entry entry(@Nullable Object[] row, Tuple primaryKey, Tuple value) {
    Tuple values = stamped ? Tuple.of(row).append(null) : Tuple.of(row);
    return new Entry(values.concat(place.rest(primaryKey)), value);
  }

  /** The primary key in the key of an entry. */
  public Tuple primaryKey(Tuple key) {
    return place.primaryKey(key);
  }
}
