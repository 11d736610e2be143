package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;

/** COUNT_NOT_NULL: (group...) holds how many records of it have a value in the last column. */
final class CountNotNullMaintainer extends NumberMaintainer {
  CountNotNullMaintainer(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    super(index, type, keys, limits);
  }

  @Override
  boolean isOverAtZero() {
    return true;
  }

  @Override
  List<Entry> allEntries(Object record, Tuple primaryKey) {
    return eachValue(record).stream()
        .map(entry -> new Entry(entry.key(), Tuple.EMPTY))
        .distinct()
        .toList();
  }

  @Override
  long amount(Entry entry) {
    return 1;
  }
}
