package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Limits;
import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.format.Header;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.keys.StoreKeys;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;

/** Creates the maintainers of the kinds of indexes. */
public final class Maintainers {
  private Maintainers() {}

  /**
   * The current form of the rows of {@code kind}: how many times it has changed. An index keeps the
   * form in which it was built until it is built anew.
   */
  public static int form(IndexKind kind) {
    return switch (kind) {
      case SUM -> SumMaintainer.WIDE;
      case TEXT -> TextMaintainer.PINNED;
      case VALUE,
          COUNT,
          COUNT_NOT_NULL,
          COUNT_UPDATES,
          MIN,
          MAX,
          MIN_EVER,
          MAX_EVER,
          AVERAGE,
          RANK,
          VERSION ->
          0;
    };
  }

  /** The maintainer of {@code index} in {@code store}, as {@code header} describes it. */
  public static Maintainer of(
      StoreKeys store, Limits limits, Header header, RecordType<?> type, IndexSpec index) {
    IndexInfo info = header.index(index.name());
    if (info.form() > form(index.kind())) {
      throw new SchemaException(
          "The index '%s' is kept in form %d of its kind %s; this version of Tidemark knows form %d. Use a newer one"
              .formatted(index.name(), info.form(), index.kind(), form(index.kind())));
    }
    IndexKeys keys = store.index(info.id());
    return switch (index.kind()) {
      case VALUE -> new ValueMaintainer(index, type, keys, limits);
      case COUNT -> new CountMaintainer(index, type, keys, limits);
      case COUNT_NOT_NULL -> new CountNotNullMaintainer(index, type, keys, limits);
      case COUNT_UPDATES -> new CountUpdatesMaintainer(index, type, keys, limits);
      case SUM -> new SumMaintainer(index, type, keys, limits, info.form());
      case MIN, MAX -> new ExtremumMaintainer(index, type, keys, limits);
      case MIN_EVER, MAX_EVER -> new EverMaintainer(index, type, keys, limits);
      case AVERAGE -> new AverageMaintainer(index, type, keys, limits);
      case RANK -> new RankMaintainer(index, type, keys, limits);
      case TEXT -> new TextMaintainer(index, type, keys, limits, info.form());
      case VERSION -> {
        TypeKeys records = store.type(header.typeId(type.name()));
        yield new VersionMaintainer(index, type, keys, limits, records);
      }
    };
  }
}
