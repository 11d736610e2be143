package dev.tidemark.embedded.internal.commit;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.spi.KeyWatch;
import dev.tidemark.kv.spi.SeenValue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The watches of a database. */
public final class WatchTable {
  private final int limit;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<Key, Set<KeyWatch>> active = new ConcurrentHashMap<>();
  private volatile boolean closed;

  public WatchTable(int limit) {
    this.limit = limit;
  }

  /** Watches that have neither fired nor been closed. */
  public int size() {
    return open.get();
  }

  public KeyWatch create(Key key, byte @Nullable [] seen) {
    if (open.incrementAndGet() > limit) {
      open.decrementAndGet();
      throw LimitExceededException.watches(limit);
    }
    return new KeyWatch(key, seen, this::ended);
  }

  /** Checks {@code watch} whenever its key is written. */
  public void activate(KeyWatch watch) {
    active.compute(
        watch.key(),
        (key, watches) -> {
          Set<KeyWatch> all = watches == null ? ConcurrentHashMap.newKeySet() : watches;
          all.add(watch);
          return all;
        });
    if (closed || !watch.isOpen()) {
      watch.close();
      remove(watch);
    }
  }

  boolean isEmpty() {
    return active.isEmpty();
  }

  /** The watched keys. */
  Set<Key> keys() {
    return active.keySet();
  }

  boolean watches(Key key) {
    return active.containsKey(key);
  }

  /** Fires the watches on {@code key} that have seen another value. */
  void changed(Key key, byte @Nullable [] value) {
    SeenValue now = SeenValue.of(value);
    forEach(key, watch -> watch.check(now));
  }

  /** Fires the watches on {@code key}, whatever they have seen. */
  void fire(Key key) {
    forEach(key, KeyWatch::fire);
  }

  public void close() {
    closed = true;
    active.keySet().forEach(key -> forEach(key, KeyWatch::close));
  }

  /** Calls {@code end} for the watches on {@code key}, which it may remove. */
  private void forEach(Key key, Consumer<KeyWatch> end) {
    Set<KeyWatch> watches = active.get(key);
    if (watches != null) {
      List.copyOf(watches).forEach(end);
    }
  }

  private void ended(KeyWatch watch) {
    open.decrementAndGet();
    remove(watch);
  }

  private void remove(KeyWatch watch) {
    active.computeIfPresent(
        watch.key(),
        (key, watches) -> {
          watches.remove(watch);
          return watches.isEmpty() ? null : watches;
        });
  }
}
