package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionOptions;
import java.time.Duration;

/**
 * The attempts at one piece of work, which {@code onError} leads from one to the next.
 *
 * @param time the store's clock
 * @param startNanos when the first one began
 * @param failures how many have failed
 */
record Attempts(TimeSource time, long startNanos, int failures) {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

  static Attempts first(TimeSource time) {
    return new Attempts(time, time.nanos(), 0);
  }

  Attempts afterFailure() {
    return new Attempts(time, startNanos, failures + 1);
  }

  /** Throws if all attempts together have taken too long. */
  void checkTime(TransactionSettings settings) {
    Duration timeout = settings.timeout();
    if (!timeout.isZero() && time.nanos() - startNanos >= timeout.toNanos()) {
      throw new FDBException(
          "The transaction has taken longer than its timeout of %s, in %d attempts"
              .formatted(timeout, failures + 1),
          FdbErrors.TRANSACTION_TIMED_OUT);
    }
  }

  /** For the store's transaction of an attempt that starts now, which {@link #checkTime} allows. */
  TransactionOptions storeOptions(TransactionSettings settings) {
    Duration timeout = settings.timeout();
    if (timeout.isZero()) {
      return TransactionOptions.DEFAULTS;
    }
    // At least a nanosecond, since zero would be no timeout at all.
    long left = Math.max(1, timeout.toNanos() - (time.nanos() - startNanos));
    return TransactionOptions.DEFAULTS.withTimeout(Duration.ofNanos(left));
  }

  /** Whether another attempt may follow {@code failure}. */
  boolean mayGoOn(FDBException failure, TransactionSettings settings) {
    boolean exhausted = settings.retryLimit() >= 0 && failures >= settings.retryLimit();
    return !exhausted
        && FdbSubstitute.evalErrorPredicate(FdbSubstitute.RETRYABLE, failure.getCode());
  }

  /** Waits for a random time that may be longer the more failures there were before. */
  void pause(FDBException failure, TransactionSettings settings) {
    try {
      Backoff.of(FIRST_PAUSE, settings.maxRetryDelay()).pause(failures + 1, time);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      failure.addSuppressed(interrupt);
      throw failure;
    }
    checkTime(settings);
  }
}
