package dev.tidemark.kv;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Reads of one consistent version of the store, with the transaction's own writes laid over it.
 *
 * <p>The version is fixed by the first read, unless {@link Transaction#setReadVersion} chose it
 * before. It can be read for five seconds; afterwards every read throws {@link
 * TransactionTooOldException}. Reads may be made from several threads.
 */
public interface ReadTransaction extends ReadContext {
  /** The value of {@code key}, if it has one. The array is the caller's to keep. */
  Optional<byte[]> get(Key key);

  /**
   * The values of all {@code keys} that have one, in the order of {@code keys}. Faster than as many
   * calls of {@link #get}.
   */
  Map<Key, byte[]> getAll(Collection<Key> keys);

  /**
   * The stored key that {@code selector} names. Before the first key that is {@link Key#EMPTY},
   * past the last one {@link Key#END}.
   */
  Key getKey(KeySelector selector);

  /** The keys and values of {@code range} in ascending order. Nothing is read before iteration. */
  default Scan scan(KeyRange range) {
    return scan(
        KeySelector.firstGreaterOrEqual(range.begin()),
        KeySelector.firstGreaterOrEqual(range.end()));
  }

  /**
   * The keys and values between two positions, the first included and the second not, in ascending
   * order. Nothing is read before iteration.
   */
  Scan scan(KeySelector begin, KeySelector end);

  /**
   * The version this transaction reads. A commit is visible here exactly if its version is not
   * greater. Fixes the version if no read has yet.
   */
  long readVersion();

  /**
   * The same reads without read conflicts: others may change what was read and this transaction
   * still commits. For counters that may be slightly stale, and for reads whose conflicts are added
   * by hand with {@link Transaction#addReadConflict(KeyRange)}.
   */
  ReadTransaction snapshot();

  /**
   * The state that a layer keeps with this transaction, made on the first call for {@code key}.
   *
   * <p>It lasts as long as the transaction: a body that {@link Database#transact} runs again gets a
   * new transaction with new state. A snapshot and a transaction that wraps another share its
   * state, so that all who work in one commit see the same.
   */
  <T> T attachment(AttachmentKey<T> key);
}
