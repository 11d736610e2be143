package dev.tidemark.records.internal.index;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * VALUE: (columns..., primary key...) holds the covering columns. Columns of the primary key that
 * are among the columns already are not repeated.
 */
public final class ValueMaintainer extends Maintainer implements Scannable {
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
  public Columns covering() {
    return covering;
  }

  @Override
  public boolean idempotent() {
    return true;
  }

  @Override
  public Contents contents() {
    return Contents.ROWS;
  }

  @Override
  public Tuple primaryKeyOf(Tuple key) {
    return layout.primaryKey(key);
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    Tuple value = index().covering().isEmpty() ? Tuple.EMPTY : covering.single(record);
    return layout.entries(record, primaryKey, value);
  }

  @Override
  public void check(Transaction tx, Entry entry, Tuple primaryKey) {
    Tuple other = findOther(tx, entry, primaryKey);
    if (other != null) {
      throw new UniquenessException(index().name(), values(entry), primaryKey, other);
    }
  }

  @Override
  KeyValue checkedRow(Entry entry, Tuple primaryKey) {
    return rowOf(entry, primaryKey);
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    KeyValue row = rowOf(entry, primaryKey);
    tx.set(row.key(), row.value());
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.clear(keyOf(entry, primaryKey));
  }

  /**
   * Records from before the index was unique may share values; a build notes them as violations.
   */
  @Override
  public boolean build(Transaction tx, RecordKey stored, Object record, Tuple primaryKey) {
    List<Entry> entries = entries(record, primaryKey);
    for (Entry entry : entries) {
      noteIfShared(tx, entry, primaryKey);
      add(tx, entry, primaryKey);
    }
    return !entries.isEmpty();
  }

  /** Notes a violation if another record has the values of {@code entry} that must be unique. */
  public boolean noteIfShared(Transaction tx, Entry entry, Tuple primaryKey) {
    boolean shared = findOther(tx, entry, primaryKey) != null;
    if (shared) {
      Violations.of(this).ifPresent(violations -> violations.note(tx, values(entry)));
    }
    return shared;
  }

  /**
   * Another record with the values of {@code entry}, if they must be unique. It reads the range of
   * all entries with these values, so a concurrent transaction that takes them conflicts.
   */
  private @Nullable Tuple findOther(Transaction tx, Entry entry, Tuple primaryKey) {
    Optional<Tuple> values = uniqueValues(entry);
    if (values.isEmpty()) {
      return null;
    }
    for (KeyValue row : tx.scan(keys().entriesStartingWith(values.get())).limit(2)) {
      Tuple other = primaryKeyOf(keys().entries().unpack(row.key()));
      if (!other.equals(primaryKey)) {
        return other;
      }
    }
    return null;
  }

  /** The values of {@code entry} that no other record may have, if they must be unique. */
  Optional<Tuple> uniqueValues(Entry entry) {
    if (!index().unique()) {
      return Optional.empty();
    }
    Tuple values = values(entry);
    return index().nullsEqual() || !hasNull(values) ? Optional.of(values) : Optional.empty();
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
