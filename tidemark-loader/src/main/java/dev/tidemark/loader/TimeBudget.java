package dev.tidemark.loader;

import java.time.Duration;

/**
 * How long a run may take, with three marks before its end on one clock: after the first nothing is
 * pulled, after the second no merge is started, and at the third everything left is given back.
 *
 * @param total the time of the whole run
 * @param stopPulling how long before the end pulling stops
 * @param stopStarting how long before the end no merge is started any more
 * @param release how long before the end what is left is given back
 */
public record TimeBudget(
    Duration total, Duration stopPulling, Duration stopStarting, Duration release) {
  /** Refuses marks that are not in order. */
  public TimeBudget {
    if (total.isNegative() || total.isZero()) {
      throw new IllegalArgumentException(
          "The time budget is " + total + "; a run needs some time, for instance five minutes");
    }
    if (release.isNegative()
        || release.compareTo(stopStarting) > 0
        || stopStarting.compareTo(stopPulling) > 0
        || stopPulling.compareTo(total) >= 0) {
      throw new IllegalArgumentException(
          "The marks of the time budget are not in order: total %s > stopPulling %s >= stopStarting %s >= release %s >= 0"
              .formatted(total, stopPulling, stopStarting, release));
    }
  }

  /**
   * A budget whose marks are a fifth, a tenth and a thirtieth of it before its end, and at most 60,
   * 30 and 10 seconds. Five minutes have exactly those.
   */
  public static TimeBudget of(Duration total) {
    return new TimeBudget(
        total,
        shorter(total.dividedBy(5), Duration.ofSeconds(60)),
        shorter(total.dividedBy(10), Duration.ofSeconds(30)),
        shorter(total.dividedBy(30), Duration.ofSeconds(10)));
  }

  /** This budget with other marks before its end. */
  public TimeBudget withMarks(Duration pulling, Duration starting, Duration releasing) {
    return new TimeBudget(total, pulling, starting, releasing);
  }

  private static Duration shorter(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }
}
