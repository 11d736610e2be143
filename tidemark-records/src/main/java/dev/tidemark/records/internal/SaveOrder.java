package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Numbers the saves of each transaction, so that records of one commit have an order too, and
 * remembers what a transaction cannot read again: keys that have a versionstamp only when it has
 * been committed.
 */
final class SaveOrder {
  private static final int LAST = 0xffff;

  // Guarded by this. A transaction that is no longer used is forgotten by itself.
  private final Map<Transaction, Saves> open = new WeakHashMap<>();

  private static final class Saves {
    private final Map<Key, Integer> orders = new HashMap<>();
    private final Set<Key> stampedKeys = new LinkedHashSet<>();
    private int next;
  }

  /** The number of the save of the record at {@code record}, which replaces an earlier one. */
  synchronized int next(Transaction tx, Key record) {
    Saves saves = open.computeIfAbsent(tx, key -> new Saves());
    if (saves.next > LAST) {
      throw new IllegalStateException(
          "A transaction saves at most %,d records that keep versions".formatted(LAST + 1));
    }
    int order = saves.next++;
    saves.orders.put(record, order);
    return order;
  }

  /** The number of the last save of the record at {@code record} in {@code tx}, if there is one. */
  synchronized OptionalInt of(Transaction tx, Key record) {
    Saves saves = open.get(tx);
    Integer order = saves == null ? null : saves.orders.get(record);
    return order == null ? OptionalInt.empty() : OptionalInt.of(order);
  }

  /** Remembers that {@code tx} sets {@code template}, a key that waits for its versionstamp. */
  synchronized void addStamped(Transaction tx, Key template) {
    open.computeIfAbsent(tx, key -> new Saves()).stampedKeys.add(template);
  }

  /** Forgets {@code template}. */
  synchronized void removeStamped(Transaction tx, Key template) {
    Saves saves = open.get(tx);
    if (saves != null) {
      saves.stampedKeys.remove(template);
    }
  }

  /** Forgets the keys in {@code range} that wait for a versionstamp, for {@code tx} cleared it. */
  synchronized void clearStamped(Transaction tx, KeyRange range) {
    Saves saves = open.get(tx);
    if (saves != null) {
      saves.stampedKeys.removeIf(range::contains);
    }
  }

  /** The keys in {@code range} that wait for a versionstamp. */
  synchronized List<Key> stamped(Transaction tx, KeyRange range) {
    Saves saves = open.get(tx);
    return saves == null ? List.of() : saves.stampedKeys.stream().filter(range::contains).toList();
  }
}
