package dev.tidemark.pulse;

import dev.tidemark.kv.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A small map that every process keeps a copy of.
 *
 * <p>Reads are local and may lag behind the store, also behind one's own writes, except after
 * {@link #setAndWait}. Writes go to the store, one after the other, and from there to every copy: a
 * copy that misses one notices and loads the whole map again. After {@link #close} reads answer
 * from the copy as it was, and writes throw, except {@link #reset} and {@link #destroy}.
 *
 * @param <K> the keys: not empty, and without {@code =} when encoded
 * @param <V> the values
 */
public interface ReplicatedMap<K, V> extends AutoCloseable {
  /** The name. */
  String name();

  /** The value of {@code key} in the local copy. */
  Optional<V> get(K key);

  /** The list under {@code key} in the local copy; empty if it has none. */
  List<V> list(K key);

  /** Whether the local copy has {@code key}. */
  boolean contains(K key);

  /** A copy of the keys. */
  Set<K> keys();

  /** How many keys the local copy has. */
  int size();

  /** A copy of all of it. */
  Map<K, V> snapshot();

  /** Sets {@code key} and returns what it was. */
  Optional<V> set(K key, V value);

  /** Sets {@code key} when {@code tx} commits; returns what it was in the transaction. */
  Optional<V> set(Transaction tx, K key, V value);

  /** Sets {@code key}, waits until the local copy has seen it, and returns what it was. */
  Optional<V> setAndWait(K key, V value, Duration timeout);

  /** Sets {@code key} if it is absent; whether it was. */
  boolean setIfAbsent(K key, V value);

  /** Sets {@code key} if it has the value {@code expected}; an absent key never has. */
  Swap<V> testAndSet(K key, V expected, V value);

  /** Adds {@code delta} to the decimal number under {@code key}, 0 if absent; the new number. */
  long increment(K key, long delta);

  /** As {@link #increment}, when {@code tx} commits. */
  long increment(Transaction tx, K key, long delta);

  /** Appends to the list under {@code key}; the whole list. */
  List<V> append(K key, List<V> values);

  /** Appends those of {@code values} that the list under {@code key} does not have; all of it. */
  List<V> appendUnique(K key, List<V> values);

  /** Takes all occurrences of {@code values} out of the list under {@code key}. */
  Removal<V> removeValues(K key, List<V> values);

  /** Deletes {@code key} and returns what it was. */
  Optional<V> delete(K key);

  /** Deletes {@code key} when {@code tx} commits; returns what it was in the transaction. */
  Optional<V> delete(Transaction tx, K key);

  /** Deletes {@code key} if it has the value {@code expected}. */
  Swap<V> testAndDelete(K key, V expected);

  /** Deletes all keys. */
  void reset();

  /** Deletes all keys if every key of {@code expected} has its value there; whether it did. */
  boolean testAndReset(Map<K, V> expected);

  /** Deletes the map. Those who joined it see it empty and can go on using it. */
  void destroy();

  /**
   * Tells {@code handler} that something has changed, not what; several changes may come as one. A
   * reset is never hidden by a change before it.
   */
  Subscription onChange(Consumer<Kind> handler);

  /**
   * Hands every change that reaches the local copy to {@code handler}, in order. After the copy was
   * loaded anew that is one change for each key that is different.
   */
  Subscription onEntry(Consumer<Change<K, V>> handler);

  /** Whether {@link #close} was called. */
  boolean isClosed();

  /** Leaves the map. Can be called again. */
  @Override
  void close();

  /** What happened to a map. */
  enum Kind {
    /** A key was set. */
    CHANGE,
    /** A key was deleted. */
    DELETE,
    /** The whole map was emptied. */
    RESET
  }

  /**
   * What happened to a key.
   *
   * @param kind what happened
   * @param key the key; absent for a reset
   * @param value the new value, if the key has one
   */
  record Change<K, V>(Kind kind, Optional<K> key, Optional<V> value) {}

  /**
   * The result of a write with a condition.
   *
   * @param previous the value before, if the key had one
   * @param done whether the condition held and the write took place
   */
  record Swap<V>(Optional<V> previous, boolean done) {}

  /**
   * The result of {@link #removeValues}.
   *
   * @param remaining the list afterwards
   * @param removedAny whether something was taken out
   */
  record Removal<V>(List<V> remaining, boolean removedAny) {}
}
