package dev.tidemark.pulse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ReplicatedMap} is kept.
 *
 * @param timeToLive how long the map lives, by the clock of the store; null for ever. Default for
 *     ever
 * @param sliding whether every write gives the map its whole time to live again; otherwise that
 *     runs from the first write. Default no
 */
public record MapOptions(@Nullable Duration timeToLive, boolean sliding) {
  /** What applies where nothing else is said. */
  public static final MapOptions DEFAULTS = new MapOptions(null, false);

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Refuses a time to live that is not between a millisecond and a century. */
  public MapOptions {
    if (timeToLive == null && sliding) {
      throw new IllegalArgumentException(
          "sliding is true and timeToLive is null; without a time to live there is nothing to slide");
    }
    if (timeToLive != null
        && (timeToLive.compareTo(SHORTEST) < 0 || timeToLive.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException(
          "timeToLive is " + timeToLive + "; it must be from a millisecond to a century");
    }
  }

  /** These options with a time to live that runs from the first write. */
  public MapOptions withTimeToLive(Duration time) {
    return new MapOptions(time, false);
  }

  /** These options with a time to live that every write starts anew. */
  public MapOptions withSlidingTimeToLive(Duration time) {
    return new MapOptions(time, true);
  }
}
