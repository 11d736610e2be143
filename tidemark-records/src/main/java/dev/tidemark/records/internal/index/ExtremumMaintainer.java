package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * MIN and MAX: (group..., value, primary key...) holds nothing, for records with a value. The first
 * entry of a group is its smallest value and the last one its largest.
 */
public final class ExtremumMaintainer extends Maintainer implements Grouped<Tuple>, Scannable {
  private static final byte[] NOTHING = {};

  private final EntryLayout layout;
  private final int groupColumns;
  private final boolean smallest;

  ExtremumMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.layout = EntryLayout.of(type, index);
    this.groupColumns = index.groupColumns();
    this.smallest = index.kind() == IndexKind.MIN;
  }

  @Override
  public EntryLayout layout() {
    return layout;
  }

  @Override
  public Columns columns() {
    return layout.columns();
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
    return layout.entriesNotNull(record, primaryKey);
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.set(keyOf(entry, primaryKey), NOTHING);
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.clear(keyOf(entry, primaryKey));
  }

  @Override
  public Optional<Tuple> total(ReadTransaction tx, Tuple group) {
    Scan scan = tx.scan(keys().entriesStartingWith(group));
    return (smallest ? scan : scan.reverse()).first().map(row -> value(row.key()));
  }

  private Tuple value(Key key) {
    return keys().entries().unpack(key).subTuple(groupColumns, groupColumns + 1);
  }

  @Override
  public Iterator<Part<Tuple>> totals(ReadTransaction tx, Tuple prefix) {
    return new Extremes(tx, keys().entriesStartingWith(prefix));
  }

  @Override
  public Tuple join(Tuple one, Tuple other) {
    return (one.compareTo(other) < 0) == smallest ? one : other;
  }

  @Override
  public Optional<Object> result(@Nullable Tuple total) {
    return total == null
        ? Optional.empty()
        : Optional.ofNullable(layout.columns().get(groupColumns).value(total.get(0)));
  }

  /** Goes from group to group: to the first entry of each, and over all others of it. */
  private final class Extremes implements Iterator<Part<Tuple>> {
    private final ReadTransaction tx;
    private final Key end;
    private Key from;
    private @Nullable Part<Tuple> next;

    Extremes(ReadTransaction tx, KeyRange range) {
      this.tx = tx;
      this.from = range.begin();
      this.end = range.end();
    }

    @Override
    public boolean hasNext() {
      if (next == null && from.compareTo(end) < 0) {
        Optional<KeyValue> first = tx.scan(KeyRange.of(from, end)).first();
        from = end;
        first.ifPresent(row -> enter(row.key()));
      }
      return next != null;
    }

    private void enter(Key first) {
      Tuple group = keys().entries().unpack(first).subTuple(0, groupColumns);
      from = keys().entriesStartingWith(group).end();
      next = new Part<>(group, smallest ? value(first) : total(tx, group).orElseThrow());
    }

    @Override
    public Part<Tuple> next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException("There are no more groups");
      }
      Part<Tuple> group = next;
      next = null;
      return group;
    }
  }
}
