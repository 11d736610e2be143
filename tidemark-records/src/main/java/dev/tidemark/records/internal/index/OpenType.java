package dev.tidemark.records.internal.index;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.maintenance.IndexState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record type as it stands in a store now.
 *
 * @param keys where its records are
 * @param indexes its indexes, those that are disabled aside
 */
public record OpenType(TypeKeys keys, List<OpenIndex> indexes) {
  /**
   * An index that is kept.
   *
   * @param maintainer keeps it
   * @param state its state
   * @param described reads records for an index that the program does not know, and the store
   *     describes; null if it knows it
   */
  public record OpenIndex(
      Maintainer maintainer, IndexState state, @Nullable RecordCodec<?> described) {}
}
