package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import dev.tidemark.foundationdb.internal.FdbErrors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a database or a transaction come to. Options arrive as FoundationDB's codes.
 *
 * @param timeout for all attempts together, from the first one's begin; zero for none
 * @param retryLimit how often the work may start again; negative for no limit
 * @param maxRetryDelay longest pause between two attempts
 * @param sizeLimit most bytes that may be committed; zero for the store's limit
 * @param snapshotOwnWrites whether snapshot reads see what the transaction has written, if
 *     positive: each option that turns this on takes back one that turns it off
 */
record TransactionSettings(
    Duration timeout,
    long retryLimit,
    Duration maxRetryDelay,
    long sizeLimit,
    int snapshotOwnWrites) {
  // Codes that transactions and databases have in common.
  private static final int TIMEOUT = 500;
  private static final int RETRY_LIMIT = 501;
  private static final int MAX_RETRY_DELAY = 502;
  private static final int SIZE_LIMIT = 503;

  // What FoundationDB's client takes for it.
  private static final long SIZE_LIMIT_LEAST = 32;
  private static final long SIZE_LIMIT_MOST = 10_000_000;

  static final TransactionSettings DEFAULTS =
      new TransactionSettings(Duration.ZERO, -1, Duration.ofSeconds(1), 0, 1);

  /**
   * Transaction options about a cluster's servers, priorities, caches, locks, logs and tenants. One
   * store in one process keeps all that they promise anyway. A call during a commit (701) never
   * harms the commit; and a report of conflicting keys (712) would be read from special keys, which
   * are refused.
   */
  private static final Set<Integer> WITHOUT_MEANING =
      Set.of(
          10, 20, 21, 23, 52, 110, 120, 130, 200, 201, 301, 302, 303, 304, 401, 402, 403, 404, 405,
          406, 505, 507, 508, 509, 510, 511, 700, 701, 702, 711, 712, 713, 714, 800, 801, 900, 1000,
          1101, 2000, 4000, 4001);

  /** The same for a database. */
  private static final Set<Integer> WITHOUT_MEANING_FOR_DATABASES =
      Set.of(10, 21, 22, 405, 504, 505, 506, 701, 702, 900);

  /** These settings after an option of a transaction. */
  TransactionSettings withTransactionOption(int code, byte @Nullable [] value) {
    return switch (code) {
      case TIMEOUT, RETRY_LIMIT, MAX_RETRY_DELAY, SIZE_LIMIT -> withLimit(code, value);
      case 600 -> withSnapshotOwnWrites(1);
      case 601 -> withSnapshotOwnWrites(-1);
      default -> unchanged(code, WITHOUT_MEANING, "transaction");
    };
  }

  /** These settings after an option of a database, for its later transactions. */
  TransactionSettings withDatabaseOption(int code, byte @Nullable [] value) {
    return switch (code) {
      case 26 -> withSnapshotOwnWrites(1);
      case 27 -> withSnapshotOwnWrites(-1);
      case TIMEOUT, RETRY_LIMIT, MAX_RETRY_DELAY, SIZE_LIMIT -> withLimit(code, value);
      default -> unchanged(code, WITHOUT_MEANING_FOR_DATABASES, "database");
    };
  }

  /** What is left of these settings for the next attempt; {@code defaults} are the database's. */
  TransactionSettings forNextAttempt(TransactionSettings defaults) {
    return new TransactionSettings(
        timeout, retryLimit, maxRetryDelay, sizeLimit, defaults.snapshotOwnWrites);
  }

  private TransactionSettings withLimit(int code, byte @Nullable [] value) {
    long number = number(code, value);
    return new TransactionSettings(
        code == TIMEOUT ? Duration.ofMillis(number) : timeout,
        code == RETRY_LIMIT ? number : retryLimit,
        code == MAX_RETRY_DELAY ? Duration.ofMillis(number) : maxRetryDelay,
        code == SIZE_LIMIT ? number : sizeLimit,
        snapshotOwnWrites);
  }

  private TransactionSettings withSnapshotOwnWrites(int step) {
    return new TransactionSettings(
        timeout, retryLimit, maxRetryDelay, sizeLimit, snapshotOwnWrites + step);
  }

  private TransactionSettings unchanged(int code, Set<Integer> known, String of) {
    if (!known.contains(code)) {
      throw new FDBException(
          "The %s option with code %d is not offered by a Tidemark store".formatted(of, code),
          FdbErrors.INVALID_OPTION);
    }
    return this;
  }

  static long number(int code, byte @Nullable [] value) {
    if (value == null || value.length != Long.BYTES) {
      throw new FDBException(
          "The option with code %d takes a number of eight bytes".formatted(code),
          FdbErrors.INVALID_OPTION_VALUE);
    }
    long number = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
    long least =
        switch (code) {
          case RETRY_LIMIT -> -1;
          case SIZE_LIMIT -> SIZE_LIMIT_LEAST;
          default -> 0;
        };
    long most = code == SIZE_LIMIT ? SIZE_LIMIT_MOST : Integer.MAX_VALUE;
    if (number < least || number > most) {
      throw new FDBException(
          "The option with code %d is %d; it must be from %d to %d"
              .formatted(code, number, least, most),
          FdbErrors.INVALID_OPTION_VALUE);
    }
    return number;
  }
}
