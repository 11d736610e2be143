package dev.tidemark.kv;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Limits of one transaction, or of one call of {@link Database#transact} with all its attempts. */
public final class TransactionOptions {
  private static final int SIZE_MIN = 32;

  /** What applies where nothing else is said. */
  public static final TransactionOptions DEFAULTS =
      new TransactionOptions(
          OptionalLong.empty(),
          Optional.empty(),
          100,
          Duration.ofSeconds(1),
          Idempotency.WHERE_NEEDED,
          Priority.NORMAL);

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

  private final OptionalLong sizeLimit;
  private final Optional<Duration> timeout;
  private final int retryLimit;
  private final Duration maxRetryDelay;
  private final Idempotency idempotency;
  private final Priority priority;

  private TransactionOptions(
      OptionalLong sizeLimit,
      Optional<Duration> timeout,
      int retryLimit,
      Duration maxRetryDelay,
      Idempotency idempotency,
      Priority priority) {
    if (sizeLimit.orElse(SIZE_MIN) < SIZE_MIN) {
      throw UsageException.invalidOption(
          "sizeLimit is %,d; it must be %d or more. withoutSizeLimit() is the store's limit"
              .formatted(sizeLimit.orElseThrow(), SIZE_MIN));
    }
    if (timeout.filter(time -> !time.isPositive()).isPresent()) {
      throw UsageException.invalidOption(
          "timeout is " + timeout.get() + "; it must be positive. withoutTimeout() is none");
    }
    checkDuration("timeout", timeout.orElse(Duration.ZERO));
    checkDuration("maxRetryDelay", maxRetryDelay);
    if (retryLimit < 0) {
      throw UsageException.invalidOption("retryLimit is " + retryLimit + "; it must be 0 or more");
    }
    this.sizeLimit = sizeLimit;
    this.timeout = timeout;
    this.retryLimit = retryLimit;
    this.maxRetryDelay = maxRetryDelay;
    this.idempotency = idempotency;
    this.priority = priority;
  }

  /**
   * Most bytes that a transaction may commit: keys, values and conflict ranges. Default empty: the
   * store's own limit; more than that is refused.
   */
  public OptionalLong sizeLimit() {
    return sizeLimit;
  }

  /**
   * How long the transaction, or all attempts of one call together, may take. Default empty: no
   * limit beside the five seconds of a read version.
   */
  public Optional<Duration> timeout() {
    return timeout;
  }

  /**
   * How often {@code transact} starts again after the first attempt. Default 100. After three
   * attempts that each waited in vain for a store that does not answer it gives up, whatever the
   * limit is.
   */
  public int retryLimit() {
    return retryLimit;
  }

  /** Longest pause between two attempts. Default one second. */
  public Duration maxRetryDelay() {
    return maxRetryDelay;
  }

  /** When {@code transact} uses idempotency ids. */
  public Idempotency idempotency() {
    return idempotency;
  }

  /** Whether it gives way to other transactions. Default {@link Priority#NORMAL}. */
  public Priority priority() {
    return priority;
  }

  private static void checkDuration(String name, Duration value) {
    if (value.isNegative() || value.toDays() >= 365) {
      throw UsageException.invalidOption(
          name + " is " + value + "; it must not be negative, and shorter than a year");
    }
  }

  /** These options with another size limit. */
  public TransactionOptions withSizeLimit(long bytes) {
    return withSizeLimit(OptionalLong.of(bytes));
  }

  /** These options with no size limit but the store's. */
  public TransactionOptions withoutSizeLimit() {
    return withSizeLimit(OptionalLong.empty());
  }

  private TransactionOptions withSizeLimit(OptionalLong bytes) {
    return new TransactionOptions(bytes, timeout, retryLimit, maxRetryDelay, idempotency, priority);
  }

  /** These options with another timeout. */
  public TransactionOptions withTimeout(Duration time) {
    return withTimeout(Optional.of(time));
  }

  /** These options without a timeout. */
  public TransactionOptions withoutTimeout() {
    return withTimeout(Optional.empty());
  }

  private TransactionOptions withTimeout(Optional<Duration> time) {
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TransactionOptions that
        && Objects.equals(sizeLimit, that.sizeLimit)
        && Objects.equals(timeout, that.timeout)
        && retryLimit == that.retryLimit
        && Objects.equals(maxRetryDelay, that.maxRetryDelay)
        && Objects.equals(idempotency, that.idempotency)
        && Objects.equals(priority, that.priority);
  }

  @Override
  public int hashCode() {
    return Objects.hash(sizeLimit, timeout, retryLimit, maxRetryDelay, idempotency, priority);
  }

  @Override
  public String toString() {
    return "TransactionOptions["
        + "sizeLimit="
        + sizeLimit
        + ", timeout="
        + timeout
        + ", retryLimit="
        + retryLimit
        + ", maxRetryDelay="
        + maxRetryDelay
        + ", idempotency="
        + idempotency
        + ", priority="
        + priority
        + "]";
  }
}
