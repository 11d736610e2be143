package dev.tidemark.records.internal;

import dev.tidemark.kv.AttachmentKey;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Numbers the saves of one transaction, so that records of one commit have an order too, and
 * remembers what the transaction cannot read again: keys that have a versionstamp only when it has
 * been committed.
 *
 * <p>It belongs to the transaction and not to a space: two spaces that are open at one place must
 * not give two saves of a commit the same number. Keys of records are unique across spaces.
 */
final class SaveOrder {
  private static final int LAST = 0xffff;

  private static final AttachmentKey<SaveOrder> KEY =
      AttachmentKey.of("records: order of saves", SaveOrder::new);

  // All are guarded by this.
  private final Map<Key, Integer> orders = new HashMap<>();
  private final Set<Key> stampedKeys = new LinkedHashSet<>();
  private int next;

  private SaveOrder() {}

  /** The saves of {@code tx}. */
  static SaveOrder of(Transaction tx) {
    return tx.attachment(KEY);
  }

  /** The number of the save of the record at {@code record}, which replaces an earlier one. */
  synchronized int next(Key record) {
    if (next > LAST) {
      throw new IllegalStateException(
          "A transaction saves at most %,d records that keep versions".formatted(LAST + 1));
    }
    int order = next++;
    orders.put(record, order);
    return order;
  }

  /** The number of the last save of the record at {@code record}, if there is one. */
  synchronized OptionalInt last(Key record) {
    Integer order = orders.get(record);
    return order == null ? OptionalInt.empty() : OptionalInt.of(order);
  }

  /** Remembers that {@code template}, a key that waits for its versionstamp, is set. */
  synchronized void addStamped(Key template) {
    stampedKeys.add(template);
  }

  /** Forgets {@code template}. */
  synchronized void removeStamped(Key template) {
    stampedKeys.remove(template);
  }

  /** Forgets the keys in {@code range} that wait for a versionstamp: the range was cleared. */
  synchronized void clearStamped(KeyRange range) {
    stampedKeys.removeIf(range::contains);
  }

  /** The keys in {@code range} that wait for a versionstamp. */
  synchronized List<Key> stamped(KeyRange range) {
    return stampedKeys.stream().filter(range::contains).toList();
  }
}
