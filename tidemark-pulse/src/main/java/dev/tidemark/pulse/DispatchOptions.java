package dev.tidemark.pulse;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How one job is dispatched.
 *
 * @param delay how long it waits before it is started, among the {@link PoolOptions#queuedMax} that
 *     have not been; null for not at all. Default null
 * @param at when it is started, by the store's clock; null for at once. Default null
 * @param retry what happens if its handler fails; null for what the pool does. Default null
 */
public record DispatchOptions(
    @Nullable Duration delay, @Nullable Instant at, @Nullable RetryPolicy retry) {
  /** What applies where nothing else is said. */
  public static final DispatchOptions DEFAULTS = new DispatchOptions(null, null, null);

  /** Refuses values that make no sense. */
  public DispatchOptions {
    if (delay != null && at != null) {
      throw new IllegalArgumentException(
          "The job has the delay %s and the time %s; give it one of them".formatted(delay, at));
    }
    if (delay != null && delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + "; it must not be negative");
    }
  }

  /** These options with a delay. */
  public DispatchOptions withDelay(Duration time) {
    return new DispatchOptions(time, at, retry);
  }

  /** These options with a time to start. */
  public DispatchOptions withAt(Instant time) {
    return new DispatchOptions(delay, time, retry);
  }

  /** These options with other retries. */
  public DispatchOptions withRetry(RetryPolicy policy) {
    return new DispatchOptions(delay, at, policy);
  }
}
