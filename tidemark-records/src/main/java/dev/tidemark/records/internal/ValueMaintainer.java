package dev.tidemark.records.internal;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.StoreKeys.RecordKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    return layout.entries(record, primaryKey, value);
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
    for (KeyValue row : tx.scan(keys().entriesStartingWith(values)).limit(2)) {
      Tuple other = primaryKeyOf(keys().entries().unpack(row.key()));
      if (!other.equals(primaryKey)) {
        return other;
      }
    }
    return null;
  }

  private Tuple values(Entry entry) {
    return entry.key().subTuple(0, layout.width());
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
