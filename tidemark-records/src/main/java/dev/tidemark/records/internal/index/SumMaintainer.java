package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;

/**
 * SUM: (group...) holds the sum of the last column. Nulls add nothing, and no group. A sum stays
 * when it is zero unless the index says otherwise, for zero may be the sum of records.
 */
final class SumMaintainer extends NumberMaintainer {
  SumMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
  }

  @Override
  boolean isOverAtZero() {
    return false;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachValue(record);
  }

  @Override
  long amount(Entry entry) {
    return entry.value().getLong(0);
  }
}
