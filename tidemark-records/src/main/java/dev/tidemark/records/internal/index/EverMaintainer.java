package dev.tidemark.records.internal.index;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * MIN_EVER and MAX_EVER: (group...) holds the smallest or largest value that the last column ever
 * had, packed; the bytes of packed values have their order. Nulls are passed over, and deletes
 * change nothing.
 */
public final class EverMaintainer extends Maintainer implements Grouped<Tuple> {
  private final Columns columns;
  private final int groupColumns;
  private final boolean smallest;

  EverMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.columns = Columns.of(type, index.columns());
    this.groupColumns = index.groupColumns();
    this.smallest = index.kind() == IndexKind.MIN_EVER;
  }

  @Override
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean idempotent() {
    return true;
  }

  @Override
  public Contents contents() {
    return Contents.HISTORY;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return columns.rows(record).stream()
        .filter(row -> !columns.isNull(row, groupColumns))
        .map(row -> new Entry(Tuple.of(row).subTuple(0, groupColumns), Tuple.of(row[groupColumns])))
        .toList();
  }

  @Override
  public void add(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.mutate(
        smallest ? MutationType.BYTE_MIN : MutationType.BYTE_MAX,
        keyOf(entry, primaryKey),
        entry.value().pack());
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {}

  @Override
  public Optional<Tuple> total(ReadTransaction tx, Tuple group) {
    return tx.get(keys().entries().pack(group)).map(Tuple::unpack);
  }

  @Override
  public Iterator<Part<Tuple>> totals(ReadTransaction tx, Tuple prefix) {
    return tx.scan(keys().entriesStartingWith(prefix)).stream().map(this::part).iterator();
  }

  private Part<Tuple> part(KeyValue row) {
    return new Part<>(keys().entries().unpack(row.key()), Tuple.unpack(row.value()));
  }

  @Override
  public Tuple join(Tuple one, Tuple other) {
    return (one.compareTo(other) < 0) == smallest ? one : other;
  }

  @Override
  public Optional<Object> result(@Nullable Tuple total) {
    return total == null
        ? Optional.empty()
        : Optional.ofNullable(columns.get(groupColumns).value(total.get(0)));
  }
}
