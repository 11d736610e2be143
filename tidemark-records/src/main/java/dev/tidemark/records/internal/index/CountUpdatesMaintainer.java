package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;

/**
 * COUNT_UPDATES: (group...) holds how often records of it have been saved. A save that changes
 * nothing counts too; a delete does not.
 */
public final class CountUpdatesMaintainer extends NumberMaintainer {
  CountUpdatesMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
  }

  @Override
  boolean isOverAtZero() {
    return true;
  }

  @Override
  boolean ignoresUnchanged() {
    return false;
  }

  @Override
  public Contents contents() {
    return Contents.HISTORY;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachGroup(record);
  }

  @Override
  void remove(Transaction tx, Entry entry, Tuple primaryKey) {}

  @Override
  long amount(Entry entry) {
    return 1;
  }
}
