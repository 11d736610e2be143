package dev.tidemark.records.internal;

import dev.tidemark.kv.Limits;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;

/** Which class keeps which kind of index. */
final class Maintainers {
  private Maintainers() {}

  static Maintainer of(IndexSpec index, RecordType<?> type, IndexKeys keys, Limits limits) {
    return switch (index.kind()) {
      case VALUE -> new ValueMaintainer(index, type, keys, limits);
      case COUNT -> new CountMaintainer(index, type, keys, limits);
      case COUNT_NOT_NULL,
          COUNT_UPDATES,
          SUM,
          MIN,
          MAX,
          MIN_EVER,
          MAX_EVER,
          AVERAGE,
          RANK,
          VERSION,
          BITMAP_VALUE,
          TEXT ->
          throw new UnsupportedOperationException(index.kind().name());
    };
  }
}
