package dev.tidemark.records.internal.index;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.maintenance.IndexState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record type in the current state of a store.
 *
 * @param keys its keys
 * @param indexes its indexes that are not disabled
 */
public record OpenType(TypeKeys keys, List<OpenIndex> indexes) {
  /**
   * An index that is maintained.
   *
   * @param maintainer keeps it
   * @param state its state
   * @param described decodes records for an index that only the stored schema has; null if the
   *     program's schema has it
   */
  public record OpenIndex(
      Maintainer maintainer, IndexState state, @Nullable RecordCodec<?> described) {}
}
