package dev.tidemark.pulse.internal.map;

import dev.tidemark.kv.Key;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap.Change;
import dev.tidemark.pulse.ReplicatedMap.Kind;
import dev.tidemark.pulse.internal.spi.MapStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a map in memory. One thread applies updates, any thread reads; a read is one
 * look-up in a hash map. A reader that has seen a part of an update sees all of it.
 */
final class LocalEntries<K, V> {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");

  private final MapCodecs<K, V> codecs;
  private final Map<K, Entry> entries = new ConcurrentHashMap<>();

  /** Held for writing while an update is applied, so that no reader sees a part of it. */
  private final StampedLock lock = new StampedLock();

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
    Entry entry = entry(key);
    return entry == null ? Optional.empty() : entry.value();
  }

  List<V> list(K key) {
    return codecs.list(Optional.ofNullable(entry(key)).map(entry -> entry.bytes));
  }

  boolean contains(K key) {
    return entry(key) != null;
  }

  private @Nullable Entry entry(K key) {
    long stamp = lock.tryOptimisticRead();
    Entry found = entries.get(key);
    return lock.validate(stamp) ? found : read(() -> entries.get(key));
  }

  Set<K> keys() {
    return read(() -> Set.copyOf(entries.keySet()));
  }

  int size() {
    return read(entries::size);
  }

  Map<K, V> snapshot() {
    Map<K, Entry> all = read(() -> Map.copyOf(entries));
    return all.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, each -> each.getValue().value().orElseThrow()));
  }

  /** What {@code look} finds while nothing changes. */
  private <T extends @Nullable Object> T read(Supplier<T> look) {
    long stamp = lock.readLock();
    try {
      return look.get();
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** Applies {@code update} and says what changed by it. */
  List<Change<K, V>> apply(MapStore.Update update) {
    Edits edits = new Edits();
    edits.add(update);
    long stamp = lock.writeLock();
    try {
      edits.apply();
    } finally {
      lock.unlockWrite(stamp);
    }
    position = update.position();
    return edits.changes;
  }

  /** What an update does to the entries, found out before any reader has to wait for it. */
  private final class Edits {
    private final List<Change<K, V>> changes = new ArrayList<>();
    private final Map<K, Optional<Entry>> edited = new LinkedHashMap<>();
    private boolean cleared;

    void add(MapStore.Update update) {
      switch (update) {
        case MapStore.Update.Snapshot snapshot -> load(snapshot);
        case MapStore.Update.Put put -> put(put.key(), put.value());
        case MapStore.Update.Remove remove -> key(remove.key()).ifPresent(this::remove);
        case MapStore.Update.Reset reset -> reset();
        case MapStore.Update.Commit commit -> commit.changes().forEach(this::add);
      }
    }

    void apply() {
      if (cleared) {
        entries.clear();
      }
      edited.forEach(
          (key, entry) -> {
            if (entry.isPresent()) {
              entries.put(key, entry.get());
            } else {
              entries.remove(key);
            }
          });
    }

    private void load(MapStore.Update.Snapshot snapshot) {
      if (wasReset(snapshot)) {
        reset();
      }
      Map<K, Entry> before = cleared ? Map.of() : entries;
      Set<K> gone = new HashSet<>(before.keySet());
      for (Map.Entry<String, byte[]> each : snapshot.entries().entrySet()) {
        Optional<K> key = key(each.getKey());
        if (key.isPresent()) {
          gone.remove(key.get());
          Entry known = before.get(key.get());
          if (known == null || !Arrays.equals(known.bytes, each.getValue())) {
            put(each.getKey(), each.getValue());
          }
        }
      }
      gone.forEach(this::remove);
    }

    private void put(String text, byte[] value) {
      key(text)
          .ifPresent(
              key -> {
                Entry entry = new Entry(text, value);
                edited.put(key, Optional.of(entry));
                changes.add(new Change<>(Kind.CHANGE, Optional.of(key), entry.valueIfReadable()));
              });
    }

    private void remove(K key) {
      edited.put(key, Optional.empty());
      changes.add(new Change<>(Kind.DELETE, Optional.of(key), Optional.empty()));
    }

    private void reset() {
      cleared = true;
      edited.clear();
      changes.add(new Change<>(Kind.RESET, Optional.empty(), Optional.empty()));
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
