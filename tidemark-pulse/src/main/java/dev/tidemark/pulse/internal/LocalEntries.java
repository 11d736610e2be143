package dev.tidemark.pulse.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap.Change;
import dev.tidemark.pulse.ReplicatedMap.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a map in memory. One thread applies updates, any thread reads; a read is one
 * look-up in a hash map.
 */
final class LocalEntries<K, V> {
  private static final System.Logger LOG = System.getLogger(LocalEntries.class.getName());

  private final MapCodecs<K, V> codecs;
  private final Map<K, Entry> entries = new ConcurrentHashMap<>();

  /** Touched by the thread that applies updates only. */
  private MapStore.@Nullable Position position;

  LocalEntries(MapCodecs<K, V> codecs) {
    this.codecs = codecs;
  }

  /** A value: its bytes, and what they stand for as soon as somebody has asked. */
  private final class Entry {
    private final String key;
    private final byte[] bytes;

    /**
     * Empty until somebody has asked. Written without a lock: whoever comes too early decodes once
     * more, to an equal value.
     */
    private Optional<V> decoded = Optional.empty();

    Entry(String key, byte[] bytes) {
      this.key = key;
      this.bytes = bytes;
    }

    Optional<V> value() {
      Optional<V> known = decoded;
      return known.isPresent() ? known : decode();
    }

    private Optional<V> decode() {
      try {
        Optional<V> value = Optional.of(codecs.valueOf(bytes));
        decoded = value;
        return value;
      } catch (RuntimeException unreadable) {
        throw new PulseException(
            "The codec cannot read the value of '%s' in the map '%s'; if it is a list, ask with list()"
                .formatted(key, codecs.map()),
            unreadable);
      }
    }

    Optional<V> valueIfReadable() {
      try {
        return value();
      } catch (PulseException unreadable) {
        return Optional.empty();
      }
    }
  }

  Optional<V> get(K key) {
    Entry entry = entries.get(key);
    return entry == null ? Optional.empty() : entry.value();
  }

  List<V> list(K key) {
    return codecs.list(Optional.ofNullable(entries.get(key)).map(entry -> entry.bytes));
  }

  boolean contains(K key) {
    return entries.containsKey(key);
  }

  Set<K> keys() {
    return Set.copyOf(entries.keySet());
  }

  int size() {
    return entries.size();
  }

  Map<K, V> snapshot() {
    return entries.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, each -> each.getValue().value().orElseThrow()));
  }

  /** Applies {@code update} and says what changed by it. */
  List<Change<K, V>> apply(MapStore.Update update) {
    List<Change<K, V>> changes = new ArrayList<>();
    switch (update) {
      case MapStore.Update.Snapshot snapshot -> load(snapshot, changes);
      case MapStore.Update.Put put -> put(put.key(), put.value(), changes);
      case MapStore.Update.Remove remove -> remove(remove.key(), changes);
      case MapStore.Update.Reset reset -> reset(changes);
    }
    position = update.position();
    return changes;
  }

  private void load(MapStore.Update.Snapshot snapshot, List<Change<K, V>> changes) {
    if (wasReset(snapshot)) {
      reset(changes);
    }
    Set<K> gone = new HashSet<>(entries.keySet());
    snapshot
        .entries()
        .forEach(
            (text, value) ->
                key(text)
                    .ifPresent(
                        key -> {
                          gone.remove(key);
                          Entry known = entries.get(key);
                          if (known == null || !Arrays.equals(known.bytes, value)) {
                            put(text, value, changes);
                          }
                        }));
    for (K key : gone) {
      entries.remove(key);
      changes.add(new Change<>(Kind.DELETE, Optional.of(key), Optional.empty()));
    }
  }

  /** Whether all that is here was deleted at once between the last update and {@code snapshot}. */
  private boolean wasReset(MapStore.Update.Snapshot snapshot) {
    MapStore.Position before = position;
    if (before == null) {
      return false;
    }
    Key lastReset = snapshot.lastReset();
    return before.incarnation() == snapshot.position().incarnation()
        ? lastReset.compareTo(before.revision()) > 0
        : !entries.isEmpty();
  }

  private void put(String text, byte[] value, List<Change<K, V>> changes) {
    key(text)
        .ifPresent(
            key -> {
              Entry entry = new Entry(text, value);
              entries.put(key, entry);
              changes.add(new Change<>(Kind.CHANGE, Optional.of(key), entry.valueIfReadable()));
            });
  }

  private void remove(String text, List<Change<K, V>> changes) {
    key(text)
        .ifPresent(
            key -> {
              entries.remove(key);
              changes.add(new Change<>(Kind.DELETE, Optional.of(key), Optional.empty()));
            });
  }

  private void reset(List<Change<K, V>> changes) {
    entries.clear();
    changes.add(new Change<>(Kind.RESET, Optional.empty(), Optional.empty()));
  }

  /** A key that another program wrote and our codec cannot read is left out, not the whole map. */
  private Optional<K> key(String text) {
    try {
      return Optional.of(codecs.keyOf(text));
    } catch (RuntimeException unreadable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "A key of the map '" + codecs.map() + "' is left out: the codec cannot read it",
          unreadable);
      return Optional.empty();
    }
  }
}
