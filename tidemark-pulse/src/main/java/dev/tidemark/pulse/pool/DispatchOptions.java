package dev.tidemark.pulse.pool;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one job is dispatched. Immutable; each {@code with} method returns a copy. */
public final class DispatchOptions {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  // Times that the store counts in milliseconds.
  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  /** What applies where nothing else is said. */
  public static final DispatchOptions DEFAULTS = new DispatchOptions(new Draft());

  private final @Nullable Duration delay;
  private final @Nullable Instant at;
  private final @Nullable RetryPolicy retry;

  private DispatchOptions(Draft draft) {
    delay = draft.delay;
    at = draft.at;
    retry = draft.retry;
    if (delay != null && at != null) {
      throw UsageException.invalidOption(
          "The job has the delay %s and the time %s; give it one of them".formatted(delay, at));
    }
    if (delay != null && (delay.isNegative() || delay.compareTo(LONGEST) > 0)) {
      throw UsageException.invalidOption(
          "delay is " + delay + "; it must not be negative or longer than a century");
    }
    if (at != null && (at.isBefore(EARLIEST) || at.isAfter(LATEST))) {
      throw UsageException.invalidOption(
          "at is " + at + "; it must be between " + EARLIEST + " and " + LATEST);
    }
  }

  /**
   * How long it waits before it is started, among the {@link PoolOptions#queuedMax} that have not
   * been. Default: not at all.
   */
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }

  /** When it is started, by the store's clock. Default: at once. */
  public Optional<Instant> at() {
    return Optional.ofNullable(at);
  }

  /** What happens if its handler fails. Default: what the pool does. */
  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }

  /** These options with a delay. */
  public DispatchOptions withDelay(Duration time) {
    Draft draft = new Draft(this);
    draft.delay = time;
    return new DispatchOptions(draft);
  }

  /** These options with a time to start. */
  public DispatchOptions withAt(Instant time) {
    Draft draft = new Draft(this);
    draft.at = time;
    return new DispatchOptions(draft);
  }

  /** These options with other retries. */
  public DispatchOptions withRetry(RetryPolicy policy) {
    Draft draft = new Draft(this);
    draft.retry = policy;
    return new DispatchOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private @Nullable Duration delay;
    private @Nullable Instant at;
    private @Nullable RetryPolicy retry;

    Draft() {}

    Draft(DispatchOptions from) {
      delay = from.delay;
      at = from.at;
      retry = from.retry;
    }
  }
}
