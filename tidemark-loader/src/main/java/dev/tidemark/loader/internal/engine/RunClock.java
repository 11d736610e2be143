package dev.tidemark.loader.internal.engine;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.TimeBudget;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The clock of one run, with the marks of its budget; without a budget they never come. */
final class RunClock {
  /** The longest merge of a run without a budget. */
  private static final Duration MERGE_MAX = Duration.ofMinutes(10);

  /** The end of a run without a budget. */
  private static final Duration REST_MAX = Duration.ofSeconds(10);

  private final TimeSource time;
  private final long begin;
  private final @Nullable TimeBudget budget;

  RunClock(TimeSource time, @Nullable TimeBudget budget) {
    this.time = time;
    this.begin = time.nanos();
    this.budget = budget;
  }

  TimeSource time() {
    return time;
  }

  Duration elapsed() {
    return Duration.ofNanos(time.nanos() - begin);
  }

  /** How long a pull may wait: {@code most}, or less near the first mark; zero behind it. */
  Duration pullWait(Duration most) {
    return budget == null ? most : shorter(most, until(budget.stopPulling()));
  }

  /** Whether a merge may start that will take about as long as the last one. */
  boolean mayStart(Duration last) {
    return budget == null
        || (!until(budget.stopStarting()).isZero()
            && until(budget.release()).compareTo(last.multipliedBy(2)) >= 0);
  }

  /** Whether there is time to wait for {@code pause} before another attempt. */
  boolean mayPause(Duration pause) {
    return budget == null || until(budget.stopStarting()).compareTo(pause) > 0;
  }

  /** Whether what is left has to be given back now. */
  boolean mustRelease() {
    return budget != null && until(budget.release()).isZero();
  }

  /** How long a merge that starts now may take. */
  Duration mergeLimit() {
    return budget == null ? MERGE_MAX : shorter(MERGE_MAX, until(budget.release()));
  }

  /** How long the last steps of a run may take. */
  Duration grace() {
    return budget == null ? Duration.ofSeconds(2) : budget.release().dividedBy(2);
  }

  /** How long a run that ends may still talk to its source. */
  Duration rest() {
    return budget == null ? REST_MAX : until(Duration.ZERO);
  }

  private Duration until(Duration beforeEnd) {
    if (budget == null) {
      return MERGE_MAX;
    }
    Duration left = budget.total().minus(beforeEnd).minus(elapsed());
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Duration shorter(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }
}
