package dev.tidemark.kv;

import java.time.Duration;

/**
 * The limits of a store. The defaults are FoundationDB's, on every engine, so that a program does
 * not outgrow them unnoticed on one and break on the other.
 *
 * @param keyBytes longest key
 * @param valueBytes longest value
 * @param transactionBytes largest transaction: keys, values and conflict ranges together; 32 at
 *     least
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
    check("keyBytes", keyBytes, 1);
    check("valueBytes", valueBytes, 1);
    check("transactionBytes", transactionBytes, 32);
    check("watches", watches, 0);
    if (!readWindow.isPositive() || readWindow.compareTo(Duration.ofDays(1)) > 0) {
      throw UsageException.invalidOption(
          "readWindow is " + readWindow + "; it must be positive, and a day at most");
    }
  }

  private static void check(String name, long value, long least) {
    if (value < least) {
      throw UsageException.invalidOption(
          "%s is %,d; it must be %d or more".formatted(name, value, least));
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
