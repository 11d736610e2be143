package dev.tidemark.kv;

import dev.tidemark.kv.spi.RetryLoop;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * An ordered, transactional key-value store.
 *
 * <p>Transactions are strictly serializable: they behave as if they ran one after the other, in an
 * order that agrees with real time. {@link #transact}, {@link #run} and {@link #read} retry what
 * can be retried; {@link #begin} leaves that to the caller. One instance is shared by all threads
 * of a program, virtual or not.
 */
public interface Database extends TransactionContext, AutoCloseable {
  /** Opens a transaction with default options. The caller commits and closes it. */
  default Transaction begin() {
    return begin(TransactionOptions.DEFAULTS);
  }

  /** Opens a transaction. The caller commits and closes it. */
  Transaction begin(TransactionOptions options);

  /**
   * This database with other options for {@link #transact}, {@link #run} and {@link #read}: {@code
   * db.with(o -> o.withTimeout(Duration.ofSeconds(2))).run(...)}.
   */
  default TransactionContext with(UnaryOperator<TransactionOptions> change) {
    return RetryLoop.over(this, change.apply(TransactionOptions.DEFAULTS));
  }

  @Override
  default <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
    return RetryLoop.over(this, TransactionOptions.DEFAULTS).transact(body);
  }

  @Override
  default <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return RetryLoop.over(this, TransactionOptions.DEFAULTS).read(body);
  }

  /** Roughly how many bytes the keys and values of {@code range} take. Cheap, and not exact. */
  long estimatedSize(KeyRange range);

  /**
   * Keys that cut {@code range} into pieces of roughly {@code pieceBytes}: its begin, the cuts in
   * ascending order, its end. For parallel scans and progress.
   */
  List<Key> splitPoints(KeyRange range, long pieceBytes);

  /**
   * Whether a commit can end without the caller learning its result, as over a network. Where it
   * can, {@link #transact} uses idempotency ids.
   */
  boolean commitCanBeUnknown();

  /** The limits that this database keeps. FoundationDB's, unless it was opened with others. */
  default Limits limits() {
    return Limits.DEFAULTS;
  }

  /**
   * The store's time when {@code version} was committed, as well as it is known. Times never
   * decrease from a version to a later one.
   */
  Instant timeOf(long version);

  /** The largest version whose {@link #timeOf} is not after {@code instant}, committed or not. */
  long versionAt(Instant instant);

  /**
   * The clock that this database and the layers on it live by. Its wall clock is the store's own
   * where the store can tell it: that of the process that has an embedded one, and that of the
   * server, not of the client, where the store is served. So what layers write down to expire does
   * so by one clock.
   */
  TimeSource time();

  /** Ends open transactions and watches and releases the store. Can be called again. */
  @Override
  void close();
}
