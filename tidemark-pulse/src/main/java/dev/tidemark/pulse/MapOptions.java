package dev.tidemark.pulse;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a {@link ReplicatedMap} is kept. Immutable; each {@code with} method returns a copy. */
public final class MapOptions {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** What applies where nothing else is said. */
  public static final MapOptions DEFAULTS = new MapOptions(new Draft());

  private final @Nullable Duration timeToLive;
  private final boolean sliding;

  private MapOptions(Draft draft) {
    timeToLive = draft.timeToLive;
    sliding = draft.sliding;
    if (timeToLive != null
        && (timeToLive.compareTo(SHORTEST) < 0 || timeToLive.compareTo(LONGEST) > 0)) {
      throw UsageException.invalidOption(
          "timeToLive is " + timeToLive + "; it must be from a millisecond to a century");
    }
  }

  /** How long the map lives, by the store's clock. Default: for ever. */
  public Optional<Duration> timeToLive() {
    return Optional.ofNullable(timeToLive);
  }

  /** Whether the time to live runs from the latest write instead of the first. Default: no. */
  public boolean sliding() {
    return sliding;
  }

  /** These options with a time to live that runs from the first write. */
  public MapOptions withTimeToLive(Duration time) {
    Draft draft = new Draft(this);
    draft.timeToLive = time;
    draft.sliding = false;
    return new MapOptions(draft);
  }

  /** These options with a time to live that every write restarts. */
  public MapOptions withSlidingTimeToLive(Duration time) {
    Draft draft = new Draft(this);
    draft.timeToLive = time;
    draft.sliding = true;
    return new MapOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private @Nullable Duration timeToLive;
    private boolean sliding;

    Draft() {}

    Draft(MapOptions from) {
      timeToLive = from.timeToLive;
      sliding = from.sliding;
    }
  }
}
