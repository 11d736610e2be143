package dev.tidemark.kv;

import java.time.Duration;

/**
 * Limits of one transaction, or of one call of {@link Database#transact} with all its attempts.
 *
 * @param sizeLimit most bytes that a transaction may commit: keys, values and conflict ranges.
 *     Zero, the default, stands for the store's own limit; more than that is refused
 * @param timeout how long the transaction, or all attempts of one call together, may take. {@link
 *     Duration#ZERO}, the default, sets no limit beside the five seconds of a read version
 * @param retryLimit how often {@code transact} starts again after the first attempt. Default 100.
 *     After three attempts that each waited in vain for a store that does not answer it gives up,
 *     whatever the limit is
 * @param maxRetryDelay longest pause between two attempts. Default one second
 * @param idempotency when {@code transact} uses idempotency ids
 * @param priority whether it gives way to other transactions. Default {@link Priority#NORMAL}
 */
public record TransactionOptions(
    long sizeLimit,
    Duration timeout,
    int retryLimit,
    Duration maxRetryDelay,
    Idempotency idempotency,
    Priority priority) {
  /** What applies where nothing else is said. */
  public static final TransactionOptions DEFAULTS =
      new TransactionOptions(
          0, Duration.ZERO, 100, Duration.ofSeconds(1), Idempotency.WHERE_NEEDED, Priority.NORMAL);

  /** When {@code transact} writes an idempotency id with a commit. */
  public enum Idempotency {
    /** On stores whose commits can end unknown ({@link Database#commitCanBeUnknown}). */
    WHERE_NEEDED,
    /** Never: an unknown result reaches the caller as {@link CommitUnknownException}. */
    OFF
  }

  /** Whose work comes first on a busy store. */
  public enum Priority {
    /** For work that someone waits for. */
    NORMAL,
    /**
     * For work that can wait, such as building an index: on a busy store it begins later. An
     * embedded database lets such transactions have a quarter of the processors then, a cluster
     * what others leave; a served database makes no difference between the two.
     */
    BATCH
  }

  /** Refuses values that make no sense. */
  public TransactionOptions {
    if (sizeLimit != 0 && sizeLimit < 32) {
      throw UsageException.invalidOption(
          "sizeLimit is %,d; it must be 32 or more, or 0 for the store's limit"
              .formatted(sizeLimit));
    }
    checkDuration("timeout", timeout);
    checkDuration("maxRetryDelay", maxRetryDelay);
    if (retryLimit < 0) {
      throw UsageException.invalidOption("retryLimit is " + retryLimit + "; it must be 0 or more");
    }
  }

  private static void checkDuration(String name, Duration value) {
    if (value.isNegative() || value.toDays() >= 365) {
      throw UsageException.invalidOption(
          name + " is " + value + "; it must not be negative, and shorter than a year");
    }
  }

  /** These options with another size limit; zero for the store's. */
  public TransactionOptions withSizeLimit(long bytes) {
    return new TransactionOptions(bytes, timeout, retryLimit, maxRetryDelay, idempotency, priority);
  }

  /** These options with another timeout; zero for none. */
  public TransactionOptions withTimeout(Duration time) {
    return new TransactionOptions(
        sizeLimit, time, retryLimit, maxRetryDelay, idempotency, priority);
  }

  /** These options with another number of retries; zero for one attempt only. */
  public TransactionOptions withRetryLimit(int retries) {
    return new TransactionOptions(
        sizeLimit, timeout, retries, maxRetryDelay, idempotency, priority);
  }

  /** These options with another longest pause between attempts. */
  public TransactionOptions withMaxRetryDelay(Duration delay) {
    return new TransactionOptions(sizeLimit, timeout, retryLimit, delay, idempotency, priority);
  }

  /** These options with another use of idempotency ids. */
  public TransactionOptions withIdempotency(Idempotency use) {
    return new TransactionOptions(sizeLimit, timeout, retryLimit, maxRetryDelay, use, priority);
  }

  /** These options with another priority. */
  public TransactionOptions withPriority(Priority other) {
    return new TransactionOptions(
        sizeLimit, timeout, retryLimit, maxRetryDelay, idempotency, other);
  }
}
