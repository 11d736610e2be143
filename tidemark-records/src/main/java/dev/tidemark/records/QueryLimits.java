package dev.tidemark.records;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a cursor goes before it stops with a continuation. The first row that is looked at is
 * free, so every cursor makes progress.
 *
 * @param rows how many results it gives
 * @param scannedRows how many rows it looks at
 * @param scannedBytes how many bytes of keys and values it looks at
 * @param time how long it goes on
 */
public record QueryLimits(
    OptionalLong rows,
    OptionalLong scannedRows,
    OptionalLong scannedBytes,
    Optional<Duration> time) {
  /** No limits. */
  public static final QueryLimits NONE =
      new QueryLimits(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
}
