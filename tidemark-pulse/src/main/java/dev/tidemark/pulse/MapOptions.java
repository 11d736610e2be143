package dev.tidemark.pulse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ReplicatedMap} is kept.
 *
 * @param timeToLive how long the map lives; null for ever. Default for ever
 * @param sliding whether every write gives the map its whole time to live again; otherwise that
 *     runs from the first write. Default no
 */
public record MapOptions(@Nullable Duration timeToLive, boolean sliding) {
  /** What applies where nothing else is said. */
  public static final MapOptions DEFAULTS = new MapOptions(null, false);
}
