package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** (group...) holds a number that writers change by atomic additions, without reading it. */
public abstract sealed class TotalMaintainer<P> extends Maintainer implements Grouped<P>
    permits AverageMaintainer, NumberMaintainer, SumMaintainer {
  private final Columns columns;
  private final int groupColumns;
  private final byte[] zero;
  private final boolean removesZero;

  TotalMaintainer(
      IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits, int numberBytes) {
    super(index, type, keys, limits);
    this.columns = Columns.of(type, index.columns());
    this.groupColumns = index.groupColumns();
    this.zero = new byte[numberBytes];
    this.removesZero =
        switch (index.zeroGroups()) {
          case REMOVE -> true;
          case KEEP -> false;
          case BY_KIND -> isOverAtZero();
        };
  }

  /** Whether zero means that a group has no records left. */
  abstract boolean isOverAtZero();

  /** What {@code entry} adds to its group. */
  abstract byte[] added(Entry entry);

  /** What undoes {@link #added}. */
  abstract byte[] removed(Entry entry);

  /** What is kept for a group, from its bytes. */
  abstract P read(byte[] stored);

  @Override
  public final Columns columns() {
    return columns;
  }

  @Override
  public boolean idempotent() {
    return false;
  }

  @Override
  public Contents contents() {
    return Contents.TOTALS;
  }

  /**
   * An entry without a value for each group that {@code record} is in: once for a group, however
   * often a list has the element that puts it there.
   */
  final List<Entry> eachGroup(Object record) {
    List<@Nullable Object[]> rows = columns.rows(record);
    return rows.size() == 1
        ? List.of(new Entry(group(rows.getFirst()), Tuple.EMPTY))
        : rows.stream().map(row -> new Entry(group(row), Tuple.EMPTY)).distinct().toList();
  }

  /** An entry with the value of the last column for each combination where it is not null. */
  final List<Entry> eachValue(Object record) {
    return columns.rows(record).stream()
        .filter(row -> !columns.isNull(row, row.length - 1))
        .map(row -> new Entry(group(row), Tuple.of(row[row.length - 1])))
        .toList();
  }

  private Tuple group(@Nullable Object[] row) {
    Tuple columns = Tuple.of(row);
    return groupColumns == row.length ? columns : columns.subTuple(0, groupColumns);
  }

  @Override
  public final void add(Transaction tx, Entry entry, Tuple primaryKey) {
    Key key = keyOf(entry, primaryKey);
    tx.mutate(MutationType.ADD, key, added(entry));
    if (removesZero && !isOverAtZero()) {
      tx.mutate(MutationType.COMPARE_AND_CLEAR, key, zero);
    }
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    Key key = keyOf(entry, primaryKey);
    tx.mutate(MutationType.ADD, key, removed(entry));
    if (removesZero) {
      tx.mutate(MutationType.COMPARE_AND_CLEAR, key, zero);
    }
  }

  @Override
  public final Optional<P> total(ReadTransaction tx, Tuple group) {
    return tx.get(keys().entries().pack(group)).map(this::read);
  }

  @Override
  public final Iterator<Part<P>> totals(ReadTransaction tx, Tuple prefix) {
    return tx.scan(keys().entriesStartingWith(prefix)).stream().map(this::part).iterator();
  }

  private Part<P> part(KeyValue row) {
    return new Part<>(keys().entries().unpack(row.key()), read(row.value()));
  }
}
