package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;

/** COUNT: (group...) holds how many records the group has. */
final class CountMaintainer extends NumberMaintainer {
  CountMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
  }

  @Override
  boolean isOverAtZero() {
    return true;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachGroup(record);
  }

  @Override
  long amount(Entry entry) {
    return 1;
  }
}
