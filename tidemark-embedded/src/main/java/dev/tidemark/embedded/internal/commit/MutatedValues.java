package dev.tidemark.embedded.internal.commit;

import dev.tidemark.embedded.internal.cache.Changes;
import dev.tidemark.embedded.internal.storage.BatchBuilder;
import dev.tidemark.kv.Key;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the atomic operations of a group have made of their keys. It joins the batch of the group
 * last, so that a counter that all commits add to is written once.
 */
final class MutatedValues {
  private final Map<Key, Optional<byte[]>> values = new HashMap<>();

  /** The keys whose values are not in the batch yet. */
  private final Set<Key> unwritten = new LinkedHashSet<>();

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Whether an operation of the group made the current value of {@code key}. */
  boolean has(Key key) {
    return values.containsKey(key);
  }

  /** The current value of {@code key}, which an operation of the group made. */
  Optional<byte[]> get(Key key) {
    return values.getOrDefault(key, Optional.empty());
  }

  void put(Key key, Optional<byte[]> value) {
    values.put(key, value);
    unwritten.add(key);
  }

  /** Forgets the value of {@code key}, which another write of the batch replaces. */
  void forget(Key key) {
    if (values.remove(key) != null) {
      unwritten.remove(key);
    }
  }

  /** Adds the values that are missing to {@code batch}; called before a range is cleared in it. */
  void writeTo(BatchBuilder batch, Changes changes) {
    for (Key key : unwritten) {
      byte[] bytes = key.unsafeBytes();
      Optional<byte[]> value = get(key);
      value.ifPresentOrElse(known -> batch.put(bytes, known), () -> batch.delete(bytes));
      changes.written(bytes, value.orElse(null));
    }
    unwritten.clear();
  }

  void clear() {
    values.clear();
    unwritten.clear();
  }
}
