package dev.tidemark.kv;

import java.util.function.Consumer;

/**
 * Reads and writes that take effect together, or not at all.
 *
 * <p>Most programs get one from {@link Database#transact}, which commits and retries. Writes stay
 * in memory until {@link #commit}, visible to this transaction's own reads. A commit succeeds if
 * nothing that the transaction read was changed by another commit since; otherwise it throws {@link
 * ConflictException} and nothing was written.
 *
 * <p>A transaction may be used from several threads. It holds resources of the store until {@link
 * #close}, which may come at any time and from any thread.
 */
public interface Transaction extends ReadTransaction, TransactionContext, AutoCloseable {
  /**
   * Makes this transaction read {@code version}, and conflict with commits after it, instead of the
   * latest version at its first read. For several transactions that are to see the same, and for
   * one that writes what follows from another's reads.
   *
   * <p>The version is one that {@link #readVersion} or {@link #committedVersion} gave. It is looked
   * for at the first read; a store keeps a version at least while it is the latest, and while
   * another transaction that reads it is open, up to five seconds after a later one has replaced
   * it. A transaction that reads nothing, but has read conflicts and writes, needs no more than
   * that the store remembers what was written since, which it does for five seconds. A version that
   * is gone is never replaced by another: {@link TransactionTooOldException} tells, at a read or at
   * the commit. A version that has not been committed yet causes an {@link UnavailableException}
   * there (code 1009). A transaction that only writes, without read conflicts, commits at a version
   * that is still to come. Whether it also commits at one that is gone depends on the store: those
   * of this project take it, a FoundationDB cluster does not, and where {@link Database#transact}
   * gives its commit an id, the version counts for that.
   *
   * @throws UsageException if the transaction has read already or its version was set before (code
   *     2010), or if {@code version} is not greater than zero
   */
  void setReadVersion(long version);

  /**
   * Gives {@code key} the value {@code value}; the array is copied.
   *
   * @throws LimitExceededException if the key, the value or the transaction becomes too large; a
   *     transaction that has become too large cannot be committed any more
   * @throws UsageException if the key is outside the range that programs may write
   */
  void set(Key key, byte[] value);

  /** Removes {@code key} and its value, if it is there. */
  void clear(Key key);

  /** Removes all keys of {@code range}. */
  void clear(KeyRange range);

  /**
   * Changes the value of {@code key} by {@code type} and {@code operand} when the transaction
   * commits, without reading it now: two transactions that only mutate a key never conflict.
   */
  void mutate(MutationType type, Key key, byte[] operand);

  /** Makes this transaction conflict with commits that write {@code key}, as if it had read it. */
  default void addReadConflict(Key key) {
    addReadConflict(KeyRange.single(key));
  }

  /** Makes this transaction conflict with commits that write into {@code range}. */
  void addReadConflict(KeyRange range);

  /** Makes transactions that read {@code key} conflict with this one, as if it wrote it. */
  default void addWriteConflict(Key key) {
    addWriteConflict(KeyRange.single(key));
  }

  /** Makes transactions that read in {@code range} conflict with this one. */
  void addWriteConflict(KeyRange range);

  /**
   * Excludes the next {@code set}, {@code clear} or {@code mutate} of this transaction from the
   * write conflicts: another transaction that read the key commits all the same, as if it had come
   * first. A key that the transaction also writes without this call, before or after, still
   * conflicts, and so does {@link #addWriteConflict(KeyRange)}.
   *
   * <p>Only for values that no other transaction's result depends on; a read before a write no
   * longer protects them. And only to save conflicts: on a FoundationDB cluster a versionstamped
   * key counts in any case.
   */
  void nextWriteWithoutConflict();

  /**
   * A watch on the value that {@code key} has for this transaction. It becomes active when the
   * transaction commits (for one without writes, {@link #commit} still has to be called) and
   * outlives it; a transaction that is closed without commit cancels its watches.
   *
   * @throws LimitExceededException if the database has too many watches, or the key is longer than
   *     one that can be written
   */
  Watch watch(Key key);

  /**
   * Runs {@code action} when this transaction is committed, before the store checks whether there
   * is anything to write. Actions run once, in the thread that commits, in the order in which they
   * were added; one may read, write and add further actions. If an action throws, the commit fails
   * with what it threw, the later ones do not run, and nothing is written. A transaction that is
   * closed without a commit runs none.
   *
   * <p>For layers that know only at the end what to write: how many changes a transaction makes, or
   * which of several versions of a row is the last.
   *
   * @param action is given this transaction, or the one that it wraps
   * @throws TransactionClosedException if the transaction has ended
   */
  void beforeCommit(Consumer<? super Transaction> action);

  /**
   * Runs the actions of {@link #beforeCommit} that have not run yet. {@link #commit} calls this
   * itself; call it to look at the writes before the commit. If an action throws, the transaction
   * can no longer be committed.
   */
  void prepareCommit();

  /** Whether there is something to commit so far: writes, or write conflicts. */
  boolean hasWrites();

  /**
   * The bytes that the transaction would commit so far: keys, values and conflict ranges. A store
   * may add some bytes for each write; the stores of this project do for mutations of one key that
   * cannot be taken together, such as an append after an addition: 32 for each after the first. The
   * client of a FoundationDB cluster counts 70 to 90 for each write, and a key that is written
   * again once more.
   */
  long size();

  /**
   * Commits. Afterwards the transaction takes no further reads or writes.
   *
   * <p>An interrupt while the commit is queued withdraws it and throws {@link
   * InterruptedOperationException}; once the commit has begun it is carried to its end.
   *
   * @throws ConflictException if something this transaction read has changed since; nothing was
   *     written
   * @throws TransactionTooOldException if it read more than five seconds ago; nothing was written
   * @throws CommitUnknownException if the store cannot tell whether the commit took effect
   * @throws LimitExceededException if the transaction is too large; nothing was written
   * @throws UnreadableKeyException if a read of this transaction has thrown it: the program may
   *     have gone on without what it wanted to know; nothing was written. The same holds for reads
   *     that have thrown {@link TransactionTooOldException} or {@link UnavailableException}
   */
  void commit();

  /**
   * The version of the commit, greater than that of every commit that had ended before this one
   * began; commits made together may share one, and {@link #versionstamp} orders them. -1 if the
   * transaction wrote nothing.
   *
   * @throws UsageException if the transaction has not been committed, or the reply to its commit
   *     was lost: {@link #transact} finds out that such a commit happened, but not where
   */
  long committedVersion();

  /**
   * The ten bytes that {@link MutationType#SET_VERSIONSTAMPED_KEY} put in for this commit, with
   * user version 0.
   *
   * @throws UsageException if the transaction has not been committed, wrote nothing, or the reply
   *     to its commit was lost
   */
  Versionstamp versionstamp();

  /**
   * Gives the transaction up: operations in progress and later ones throw. Safe from any thread.
   */
  void cancel();

  /** Cancels what is not committed and releases what the transaction holds. Can be called again. */
  @Override
  void close();

  /** Runs {@code body} in this transaction; whoever opened it commits. */
  @Override
  default <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
    return body.apply(this);
  }

  /** Runs {@code body} in this transaction. */
  @Override
  default <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return body.apply(this);
  }
}
