package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * VALUE: (columns..., primary key...) holds the covering columns. Columns of the primary key that
 * are among the columns already are not repeated.
 */
final class ValueMaintainer extends Maintainer {
  private final Columns columns;
  private final Columns covering;
  private final PrimaryKeyPlace place;

  ValueMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.columns = Columns.of(type, index.columns());
    this.covering = Columns.of(type, index.covering());
    this.place = PrimaryKeyPlace.of(type.spec().primaryKey(), index.columns());
  }

  @Override
  boolean idempotent() {
    return true;
  }

  /** Where the primary key is in an entry. */
  PrimaryKeyPlace place() {
    return place;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    Tuple value = index().covering().isEmpty() ? Tuple.EMPTY : covering.single(record);
    Tuple rest = place.rest(primaryKey);
    List<@Nullable Object[]> rows = columns.rows(record);
    if (rows.size() == 1) {
      return List.of(new Entry(Tuple.of(rows.getFirst()).concat(rest), value));
    }
    List<Entry> entries = new ArrayList<>(rows.size());
    for (@Nullable Object[] row : rows) {
      entries.add(new Entry(Tuple.of(row).concat(rest), value));
    }
    return entries.stream().distinct().toList();
  }

  @Override
  void check(Transaction tx, Entry entry, Tuple primaryKey) {
    super.check(tx, entry, primaryKey);
    if (index().unique()) {
      checkUnique(tx, entry, primaryKey);
    }
  }

  @Override
  void add(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.set(keyOf(entry, primaryKey), entry.value().pack());
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.clear(keyOf(entry, primaryKey));
  }

  /**
   * Reads the range of all entries with the same columns: whoever else takes them meanwhile,
   * conflicts.
   */
  private void checkUnique(Transaction tx, Entry entry, Tuple primaryKey) {
    Tuple values = entry.key().subTuple(0, columns.size());
    if (!index().nullsEqual() && hasNull(values)) {
      return;
    }
    for (KeyValue row : tx.scan(startingWith(values))) {
      Tuple other = place.primaryKey(keys().entries().unpack(row.key()));
      if (!other.equals(primaryKey)) {
        throw new UniquenessException(index().name(), values, primaryKey, other);
      }
    }
  }

  /** All entries whose first columns are {@code values}. */
  KeyRange startingWith(Tuple values) {
    Key prefix = keys().entries().pack(values);
    return KeyRange.of(prefix, prefix.append((byte) 0xff));
  }

  private boolean hasNull(Tuple values) {
    for (int i = 0; i < values.size(); i++) {
      ColumnSpec column = index().columns().get(i);
      Object value =
          column.descending() ? KeyElements.ascending(values.getBytes(i)) : values.get(i);
      if (value == null) {
        return true;
      }
    }
    return false;
  }
}
