package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;

/** Which class keeps which kind of index. */
public final class Maintainers {
  private Maintainers() {}

  /** The one that keeps {@code index} in {@code store}, which is as {@code header} says. */
  public static Maintainer of(
      StoreKeys store, Limits limits, Header header, RecordType<?> type, IndexSpec index) {
    IndexKeys keys = store.index(header.index(index.name()).id());
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
        TypeKeys records = store.type(header.typeId(type.name()));
        yield new VersionMaintainer(index, type, keys, limits, records);
      }
    };
  }
}
