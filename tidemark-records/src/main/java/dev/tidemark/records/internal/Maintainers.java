package dev.tidemark.records.internal;

import dev.tidemark.kv.Limits;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;

/** Which class keeps which kind of index. */
final class Maintainers {
  private Maintainers() {}

  /** The one that keeps {@code index} in {@code space}, which is as {@code header} says. */
  static Maintainer of(Space space, Header header, RecordType<?> type, IndexSpec index) {
    IndexKeys keys = space.keys().index(header.index(index.name()).id());
    Limits limits = space.database().limits();
    return switch (index.kind()) {
      case VALUE -> new ValueMaintainer(index, type, keys, limits);
      case COUNT -> new CountMaintainer(index, type, keys, limits);
      case COUNT_NOT_NULL -> new CountNotNullMaintainer(index, type, keys, limits);
      case COUNT_UPDATES -> new CountUpdatesMaintainer(index, type, keys, limits);
      case SUM -> new SumMaintainer(index, type, keys, limits);
      case MIN, MAX -> new ExtremumMaintainer(index, type, keys, limits);
      case MIN_EVER, MAX_EVER -> new EverMaintainer(index, type, keys, limits);
      case AVERAGE -> new AverageMaintainer(index, type, keys, limits);
      case RANK -> new RankMaintainer(index, type, keys, limits);
      case TEXT -> new TextMaintainer(index, type, keys, limits);
      case VERSION -> {
        TypeKeys records = space.keys().type(header.typeId(type.name()));
        yield new VersionMaintainer(index, type, keys, limits, records);
      }
    };
  }
}
