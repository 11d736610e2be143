package dev.tidemark.partitions.internal.client;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionMetrics;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The attempts of one request: the time it has left, and the pause before the next attempt. */
final class Attempts {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final String type;
  private final PartitionMetrics metrics;
  private final TimeSource time;
  private final RoutingFeed feed;
  private final long deadline;
  private final Duration timeout;
  private Duration pause = FIRST_PAUSE;

  Attempts(
      String type, PartitionMetrics metrics, TimeSource time, RoutingFeed feed, Duration timeout) {
    this.type = type;
    this.metrics = metrics;
    this.time = time;
    this.feed = feed;
    this.timeout = timeout;
    this.deadline = time.nanos() + timeout.toNanos();
  }

  /** The time that the request has left; never less than a microsecond. */
  Duration left() {
    return Duration.ofNanos(Math.max(1_000, deadline - time.nanos()));
  }

  /**
   * Waits before another attempt.
   *
   * @param version of the table that the attempt used
   * @throws PartitionException the failure, if another attempt would not help or comes too late
   */
  void after(PartitionException failure, long version) {
    if (!mayHelp(failure)) {
      throw failure;
    }
    Duration moment = Duration.ofNanos(Math.max(jittered(), failure.retryAfter().toNanos()));
    if (deadline - time.nanos() <= moment.toNanos()) {
      throw new PartitionException(
              failure.reason(),
              "No answer within %s; the last attempt: %s".formatted(timeout, failure.getMessage()),
              failure)
          .atRoutingVersion(Math.max(0, version));
    }
    metrics.requestRepeated(type, failure.reason());
    long hinted = failure.routingVersion().orElse(-1);
    if (hinted > version) {
      if (!feed.await(hinted, min(LONGEST_PAUSE, left()))) {
        feed.doubt();
      }
    } else {
      feed.pause(version, moment);
    }
    pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
  }

  private long jittered() {
    long most = pause.toNanos();
    return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }

  /** The request has an id, so it may be repeated even if its outcome is unknown. */
  static boolean mayHelp(PartitionException failure) {
    return failure.reason().isRetryable()
        || failure.reason() == Reason.IN_DOUBT
        || failure.reason() == Reason.TIMED_OUT;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
