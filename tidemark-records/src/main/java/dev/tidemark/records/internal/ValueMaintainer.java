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
import dev.tidemark.records.internal.StoreKeys.RecordKey;
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

  @Override
  Contents contents() {
    return Contents.ROWS;
  }

  @Override
  Tuple primaryKeyOf(Tuple key) {
    return place.primaryKey(key);
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

  /** Records of before the index was unique may share values: that is noted, not refused. */
  @Override
  boolean build(Transaction tx, RecordKey stored, Object record, Tuple primaryKey) {
    List<Entry> entries = entries(record, primaryKey);
    for (Entry entry : entries) {
      if (index().unique() && findOther(tx, entry, primaryKey) != null) {
        Violations.of(this).ifPresent(violations -> violations.note(tx, values(entry)));
      }
      add(tx, entry, primaryKey);
    }
    return !entries.isEmpty();
  }

  private void checkUnique(Transaction tx, Entry entry, Tuple primaryKey) {
    Tuple other = findOther(tx, entry, primaryKey);
    if (other != null) {
      throw new UniquenessException(index().name(), values(entry), primaryKey, other);
    }
  }

  /**
   * Another record with the values of {@code entry}. Reads the range of all entries that have them:
   * whoever else takes them meanwhile, conflicts.
   */
  private @Nullable Tuple findOther(Transaction tx, Entry entry, Tuple primaryKey) {
    Tuple values = values(entry);
    if (!index().nullsEqual() && hasNull(values)) {
      return null;
    }
    for (KeyValue row : tx.scan(startingWith(values)).limit(2)) {
      Tuple other = primaryKeyOf(keys().entries().unpack(row.key()));
      if (!other.equals(primaryKey)) {
        return other;
      }
    }
    return null;
  }

  private Tuple values(Entry entry) {
    return entry.key().subTuple(0, columns.size());
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
