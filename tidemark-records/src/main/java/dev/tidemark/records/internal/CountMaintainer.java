package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.ZeroGroups;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import java.util.List;

/** COUNT: (group...) holds how many records the group has. */
final class CountMaintainer extends Maintainer {
  private static final byte[] ZERO = LittleEndian.bytes(0);
  private static final byte[] ONE = LittleEndian.bytes(1);
  private static final byte[] MINUS_ONE = LittleEndian.bytes(-1);

  private final Columns group;
  private final boolean removesZero;

  CountMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
    this.group = Columns.of(type, index.columns());
    this.removesZero = index.zeroGroups() != ZeroGroups.KEEP;
  }

  @Override
  boolean idempotent() {
    return false;
  }

  @Override
  Contents contents() {
    return Contents.TOTALS;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return group.rows(record).stream().map(row -> new Entry(Tuple.of(row), Tuple.EMPTY)).toList();
  }

  @Override
  void add(Transaction tx, Entry entry, Tuple primaryKey) {
    tx.mutate(MutationType.ADD, keyOf(entry, primaryKey), ONE);
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {
    Key key = keyOf(entry, primaryKey);
    tx.mutate(MutationType.ADD, key, MINUS_ONE);
    if (removesZero) {
      tx.mutate(MutationType.COMPARE_AND_CLEAR, key, ZERO);
    }
  }
}
