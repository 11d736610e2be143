package dev.tidemark.records.internal;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import java.util.List;

/**
 * VALUE: (columns..., primary key...) holds the covering columns. Columns of the primary key that
 * are among the columns already are not repeated.
 */
final class ValueMaintainer extends Maintainer implements Scannable {
  private final EntryLayout layout;
  private final Columns covering;

  ValueMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.layout = EntryLayout.of(type, index);
    this.covering = Columns.of(type, index.covering());
  }

  @Override
  public EntryLayout layout() {
    return layout;
  }

  /** The columns that the values of entries hold. */
  Columns covering() {
    return covering;
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
    return layout.primaryKey(key);
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    Tuple value = index().covering().isEmpty() ? Tuple.EMPTY : covering.single(record);
    return layout.keys(record, primaryKey).stream().map(key -> new Entry(key, value)).toList();
  }

  @Override
  void check(Transaction tx, Entry entry, Tuple primaryKey) {
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
    Tuple values = entry.key().subTuple(0, layout.width());
    if (!index().nullsEqual() && hasNull(values)) {
      return;
    }
    for (KeyValue row : tx.scan(keys().entriesStartingWith(values))) {
      Tuple other = primaryKeyOf(keys().entries().unpack(row.key()));
      if (!other.equals(primaryKey)) {
        throw new UniquenessException(index().name(), values, primaryKey, other);
      }
    }
  }

  private boolean hasNull(Tuple values) {
    for (int i = 0; i < values.size(); i++) {
      if (layout.columns().get(i).isNull(values.get(i))) {
        return true;
      }
    }
    return false;
  }
}
