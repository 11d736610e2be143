package dev.tidemark.records.internal.index;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnreadableKeyException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Numbers the saves of one transaction, so that the records of one commit are ordered, and keeps
 * the versionstamped keys that the transaction has set, which it cannot read before its commit.
 *
 * <p>It is attached to the transaction and not to a space: two spaces over the same subspace must
 * not give two saves of a commit the same number. Keys of records are unique across spaces.
 */
public final class SaveOrder {
  private static final int LAST = 0xffff;
  private static final byte[] NOTHING = {};

  private static final AttachmentKey<SaveOrder> KEY =
      AttachmentKey.of("records: order of saves", SaveOrder::new);

  // All are guarded by this.
  private final Map<Key, Integer> orders = new HashMap<>();
  private final Set<Key> stampedKeys = new LinkedHashSet<>();
  private int next;

  private SaveOrder() {}

  /** The order of the saves of {@code tx}. */
  public static SaveOrder of(ReadTransaction tx) {
    return tx.attachment(KEY);
  }

  /** Assigns the next number to a save of {@code record}, which replaces its earlier number. */
  public synchronized int next(Key record) {
    if (next > LAST) {
      throw new IllegalStateException(
          "A transaction saves at most %,d records that keep versions".formatted(LAST + 1));
    }
    int order = next++;
    orders.put(record, order);
    return order;
  }

  /** The number of the last save of {@code record}, if there is one. */
  synchronized OptionalInt last(Key record) {
    Integer order = orders.get(record);
    return order == null ? OptionalInt.empty() : OptionalInt.of(order);
  }

  /**
   * Sets the versionstamped key {@code template} with an empty value just before the commit of
   * {@code tx}. A stamped key that was set earlier could be cleared again only with a range that
   * contains keys of other transactions.
   */
  void addStamped(Transaction tx, Key template) {
    boolean first;
    synchronized (this) {
      first = stampedKeys.isEmpty();
      stampedKeys.add(template);
    }
    if (first) {
      tx.beforeCommit(this::setStamped);
    }
  }

  private synchronized void setStamped(Transaction tx) {
    stampedKeys.forEach(
        template -> tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, template, NOTHING));
    stampedKeys.clear();
  }

  /** Forgets {@code template}. */
  synchronized void removeStamped(Key template) {
    stampedKeys.remove(template);
  }

  /** Forgets the keys in {@code range} that wait for a versionstamp: the range was cleared. */
  public synchronized void clearStamped(KeyRange range) {
    stampedKeys.removeIf(range::contains);
  }

  /**
   * Checks that a read of {@code range} misses no key without a versionstamp.
   *
   * @throws UnreadableKeyException if a key in it waits for its versionstamp
   */
  public synchronized void checkReadable(KeyRange range) {
    stampedKeys.stream()
        .filter(range::contains)
        .findFirst()
        .ifPresent(
            template -> {
              throw new UnreadableKeyException(template);
            });
  }
}
