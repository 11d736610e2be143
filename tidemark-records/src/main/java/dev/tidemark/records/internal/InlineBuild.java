package dev.tidemark.records.internal;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.IndexState;
import dev.tidemark.records.RecordException;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import java.util.ArrayList;
import java.util.List;

/** Builds a new index in the transaction that opens the store, if its type has few records. */
final class InlineBuild {
  private InlineBuild() {}

  /**
   * The state that {@code index} begins with: readable if it was built, else disabled, because
   * there are too many records or because they do not fit it.
   */
  static IndexState run(Space space, Transaction tx, Header header, IndexSpec index) {
    RecordType<?> type = space.schema().type(index.type()).orElseThrow();
    TypeKeys keys = space.keys().type(header.typeId(type.name()));
    return build(space, tx, type, keys, Maintainers.of(space, header, type, index));
  }

  private static <R> IndexState build(
      Space space, Transaction tx, RecordType<R> type, TypeKeys keys, Maintainer maintainer) {
    int max = space.options().inlineBuildMax();
    StoredRecords<R> stored = new StoredRecords<>(space, type);
    StoredRows<R> rows = new StoredRows<>(tx, keys, stored, keys.all(), false);
    List<StoredRow<R>> all = new ArrayList<>();
    while (rows.hasNext()) {
      if (all.size() == max) {
        return IndexState.DISABLED;
      }
      all.add(rows.next());
    }
    try {
      for (StoredRow<R> row : all) {
        Tuple pk = row.primaryKey();
        Maintainer.Change change = maintainer.change(null, row.record(), pk);
        change.check(tx, pk);
        change.add(tx, pk);
      }
      return IndexState.READABLE;
    } catch (RecordException doesNotFit) {
      maintainer.keys().clear(tx);
      return IndexState.DISABLED;
    }
  }
}
