package dev.tidemark.kv;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a store. The defaults are FoundationDB's, on every engine, so that a program does
 * not outgrow them unnoticed on one and break on the other.
 */
public final class Limits {
  /** FoundationDB's limits. */
  public static final Limits DEFAULTS =
      new Limits(10_000, 100_000, 10_000_000, Duration.ofSeconds(5), 10_000);

  private final int keyBytes;
  private final int valueBytes;
  private final long transactionBytes;
  private final Duration readWindow;
  private final int watches;

  private Limits(
      int keyBytes, int valueBytes, long transactionBytes, Duration readWindow, int watches) {
    check("keyBytes", keyBytes, 1);
    check("valueBytes", valueBytes, 1);
    check("transactionBytes", transactionBytes, 32);
    check("watches", watches, 0);
    if (!readWindow.isPositive() || readWindow.compareTo(Duration.ofDays(1)) > 0) {
      throw UsageException.invalidOption(
          "readWindow is " + readWindow + "; it must be positive, and a day at most");
    }
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
    this.transactionBytes = transactionBytes;
    this.readWindow = readWindow;
    this.watches = watches;
  }

  /** Longest key. */
  public int keyBytes() {
    return keyBytes;
  }

  /** Longest value. */
  public int valueBytes() {
    return valueBytes;
  }

  /** Largest transaction: keys, values and conflict ranges together; 32 at least. */
  public long transactionBytes() {
    return transactionBytes;
  }

  /** How long a version can be read after a transaction's first read; a day at most. */
  public Duration readWindow() {
    return readWindow;
  }

  /** Most watches open at a time. */
  public int watches() {
    return watches;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Limits that
        && keyBytes == that.keyBytes
        && valueBytes == that.valueBytes
        && transactionBytes == that.transactionBytes
        && Objects.equals(readWindow, that.readWindow)
        && watches == that.watches;
  }

  @Override
  public int hashCode() {
    return Objects.hash(keyBytes, valueBytes, transactionBytes, readWindow, watches);
  }

  @Override
  public String toString() {
    return "Limits["
        + "keyBytes="
        + keyBytes
        + ", valueBytes="
        + valueBytes
        + ", transactionBytes="
        + transactionBytes
        + ", readWindow="
        + readWindow
        + ", watches="
        + watches
        + "]";
  }
}
