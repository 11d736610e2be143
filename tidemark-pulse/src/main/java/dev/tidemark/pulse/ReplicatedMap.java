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
 * <p>Reads are local: they cost as much as those of a hash map, and may lag behind the store, also
 * behind one's own writes, except after {@link #setAndWait}. Writes go to the store, one after the
 * other, and from there to every copy. A copy that misses one notices and loads the whole map
 * again. The writes of one transaction reach a copy together: who has seen one of them sees all.
 *
 * <p>After {@link #close} reads answer from the copy as it was, and writes throw {@link
 * IllegalStateException}, except {@link #reset} and {@link #destroy}.
 *
 * <p>A key is encoded to 1 to 1,024 bytes of UTF-8 without {@code =}, a value to at most 90,000
 * bytes, a whole list included; all writes throw {@link IllegalArgumentException} for others, and
 * {@link PulseException} for a list that would become too large. The writes with a {@link
 * Transaction} throw {@link UnsupportedOperationException} where the store has none to join.
 *
 * <p>Safe for use by many threads. Values are handed out as the codec made them, the same object to
 * all readers, so they must not be changed.
 *
 * @param <K> the keys; they need {@code equals} and {@code hashCode}
 * @param <V> the values; those that are equal have equal bytes
 */
public interface ReplicatedMap<K, V> extends AutoCloseable {
  /** The name. */
  String name();

  /** The value of {@code key} in the local copy. Never waits for the store. */
  Optional<V> get(K key);

  /**
   * The list under {@code key} in the local copy; empty if it has none.
   *
   * <p>A list is kept as a JSON array of strings. A value that is no such array counts as a list of
   * what is between its commas.
   */
  List<V> list(K key);

  /** Whether the local copy has {@code key}. */
  boolean contains(K key);

  /** A copy of the keys. */
  Set<K> keys();

  /** How many keys the local copy has. */
  int size();

  /** A copy of all of it, as it is at one moment. */
  Map<K, V> snapshot();

  /** Sets {@code key} and returns what it was. Copies hear of it even if the value is the same. */
  Optional<V> set(K key, V value);

  /** Sets {@code key} when {@code tx} commits; returns what it was in the transaction. */
  Optional<V> set(Transaction tx, K key, V value);

  /**
   * Sets {@code key}, waits until the local copy has seen it, and returns what it was. Afterwards
   * {@link #get} gives this value or one that was set later.
   *
   * @throws CopyLagException if the copy has not seen it after {@code timeout}; it was set
   * @throws IllegalStateException if the map is closed while this waits; it was set
   * @throws dev.tidemark.kv.InterruptedOperationException if the thread is interrupted; whether it
   *     was set is not known
   */
  Optional<V> setAndWait(K key, V value, Duration timeout);

  /** Sets {@code key} if it is absent; whether it was. */
  boolean setIfAbsent(K key, V value);

  /** Sets {@code key} if it has the value {@code expected}; an absent key never has. */
  Swap<V> testAndSet(K key, V expected, V value);

  /**
   * Adds {@code delta} to the decimal number under {@code key}, 0 if absent; the new number.
   *
   * @throws PulseException if the value is no such number, or the sum too large; it is unchanged
   */
  long increment(K key, long delta);

  /**
   * As {@link #increment(Object, long)}, when {@code tx} commits. The result is read, so that the
   * commit conflicts with every other write to {@code key}: where many long transactions count,
   * give each of them a key of its own and add these up.
   */
  long increment(Transaction tx, K key, long delta);

  /** Appends to the list under {@code key}; the whole list. With no values nothing is written. */
  List<V> append(K key, List<V> values);

  /**
   * Appends those of {@code values} that the list under {@code key} does not have, each once; all
   * of it. Nothing is written if it has them all.
   */
  List<V> appendUnique(K key, List<V> values);

  /**
   * Takes all occurrences of {@code values} out of the list under {@code key}. With the last value
   * the key goes.
   */
  Removal<V> removeValues(K key, List<V> values);

  /** Deletes {@code key} and returns what it was. */
  Optional<V> delete(K key);

  /** Deletes {@code key} when {@code tx} commits; returns what it was in the transaction. */
  Optional<V> delete(Transaction tx, K key);

  /** Deletes {@code key} if it has the value {@code expected}. */
  Swap<V> testAndDelete(K key, V expected);

  /** Deletes all keys. */
  void reset();

  /**
   * Deletes all keys if every key of {@code expected} has its value there; whether it did. With
   * nothing expected it always does.
   */
  boolean testAndReset(Map<K, V> expected);

  /** Deletes the map. Those who joined it see it empty and can go on using it. */
  void destroy();

  /**
   * Tells {@code handler} that something has changed, not what; several changes may come as one. A
   * reset is never hidden by a change before it. The handler runs on a thread of its own and finds
   * the change in the local copy. An exception of the handler ends the subscription; it is logged,
   * and is in {@link Subscription#failure}.
   *
   * @throws IllegalStateException if the map is closed
   */
  Subscription onChange(Consumer<Kind> handler);

  /**
   * Hands every change that reaches the local copy to {@code handler}, in order, on a thread of its
   * own. After the copy was loaded anew that is one change for each key that is different, or a
   * reset followed by all keys if a reset was missed.
   *
   * <p>An exception of the handler ends the subscription; it is logged, and is in {@link
   * Subscription#failure}. So it is when a handler falls 10,000 updates behind: subscribe again and
   * begin with a {@link #snapshot}.
   *
   * @throws IllegalStateException if the map is closed
   */
  Subscription onEntry(Consumer<Change<K, V>> handler);

  /** What this copy has seen so far, from memory. Can be asked after {@link #close}. */
  MapStatistics statistics();

  /** Whether {@link #close} was called. */
  boolean isClosed();

  /**
   * Leaves the map: subscriptions end, and those who wait in {@link #setAndWait} are released. Can
   * be called again.
   */
  @Override
  void close();

  /** What happened to a map. */
  enum Kind {
    /** A key was set. */
    CHANGE,
    /** A key was deleted. */
    DELETE,
    /** The whole map was emptied, destroyed, or has expired. */
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
