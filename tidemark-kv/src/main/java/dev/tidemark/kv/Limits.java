package dev.tidemark.kv;

import java.time.Duration;

/**
 * The limits of a store. The defaults are FoundationDB's, on every engine, so that a program does
 * not outgrow them unnoticed on one and break on the other.
 *
 * @param keyBytes longest key
 * @param valueBytes longest value
 * @param transactionBytes largest transaction: keys, values and conflict ranges together
 * @param readWindow how long a version can be read after a transaction's first read; a day at most
 * @param watches most watches open at a time
 */
public record Limits(
    int keyBytes, int valueBytes, long transactionBytes, Duration readWindow, int watches) {
  /** FoundationDB's limits. */
  public static final Limits DEFAULTS =
      new Limits(10_000, 100_000, 10_000_000, Duration.ofSeconds(5), 10_000);

  /** Refuses values that make no sense. */
  public Limits {
    if (keyBytes < 1 || valueBytes < 1 || transactionBytes < 32 || watches < 0) {
      throw UsageException.invalidOption(
          "Limits must be positive: keyBytes=%,d valueBytes=%,d transactionBytes=%,d watches=%,d"
              .formatted(keyBytes, valueBytes, transactionBytes, watches));
    }
    if (readWindow.isNegative() || readWindow.isZero() || readWindow.toDays() >= 1) {
      throw UsageException.invalidOption(
          "readWindow is " + readWindow + "; it must be positive and shorter than a day");
    }
  }

  /** These limits with another longest key. */
  public Limits withKeyBytes(int bytes) {
    return new Limits(bytes, valueBytes, transactionBytes, readWindow, watches);
  }

  /** These limits with another longest value. */
  public Limits withValueBytes(int bytes) {
    return new Limits(keyBytes, bytes, transactionBytes, readWindow, watches);
  }

  /** These limits with another largest transaction. */
  public Limits withTransactionBytes(long bytes) {
    return new Limits(keyBytes, valueBytes, bytes, readWindow, watches);
  }

  /** These limits with another time for which a version can be read. */
  public Limits withReadWindow(Duration window) {
    return new Limits(keyBytes, valueBytes, transactionBytes, window, watches);
  }

  /** These limits with another number of watches. */
  public Limits withWatches(int count) {
    return new Limits(keyBytes, valueBytes, transactionBytes, readWindow, count);
  }
}
