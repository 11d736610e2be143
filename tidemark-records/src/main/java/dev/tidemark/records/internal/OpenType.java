package dev.tidemark.records.internal;

import dev.tidemark.records.IndexState;
import dev.tidemark.records.RecordCodec;
import dev.tidemark.records.internal.StoreKeys.TypeKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record type as it stands in a store now.
 *
 * @param keys where its records are
 * @param indexes its indexes, those that are disabled aside
 */
record OpenType(TypeKeys keys, List<OpenIndex> indexes) {
  /**
   * An index that is kept.
   *
   * @param maintainer keeps it
   * @param state its state
   * @param described reads records for an index that the program does not know, and the store
   *     describes; null if it knows it
   */
  record OpenIndex(Maintainer maintainer, IndexState state, @Nullable RecordCodec<?> described) {}
}
