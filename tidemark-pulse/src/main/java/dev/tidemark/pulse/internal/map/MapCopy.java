package dev.tidemark.pulse.internal.map;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.CopyLagException;
import dev.tidemark.pulse.MapStatistics;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** A replicated map over the entries of any store: a copy in memory that follows the store. */
public final class MapCopy<K, V> implements ReplicatedMap<K, V>, OpenHandles.Handle {
  private static final String NO_HANDLER = "The handler is null";

  private final String name;
  private final MapStore store;
  private final MapCodecs<K, V> codecs;
  private final LocalEntries<K, V> entries;
  private final CopyPosition position;
  private final OpenHandles handles;
  private final Set<MapSubscription<Kind>> kindSubscriptions = new CopyOnWriteArraySet<>();
  private final Set<MapSubscription<Change<K, V>>> entrySubscriptions = new CopyOnWriteArraySet<>();
  private final LongAdder changed = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final MapStore.Feed feed;

  private MapCopy(MapStore store, MapCodecs<K, V> codecs, TimeSource time, OpenHandles handles) {
    this.name = codecs.map();
    this.store = store;
    this.codecs = codecs;
    this.entries = new LocalEntries<>(codecs);
    this.position = new CopyPosition(time);
    this.handles = handles;
    this.feed = store.follow(this::accept);
  }

  /**
   * Joins the map {@code name}: when this returns, the copy has all entries.
   *
   * @param handles where it is kept while it is open
   */
  public static <K, V> MapCopy<K, V> join(
      String name,
      MapStore store,
      Codec<K> keys,
      Codec<V> values,
      TimeSource time,
      OpenHandles handles) {
    return handles.add(new MapCopy<>(store, new MapCodecs<>(name, keys, values), time, handles));
  }

  /** Applies an update; handlers and waiters then find it in the copy. */
  private void accept(MapStore.Update update) {
    List<Change<K, V>> changes = entries.apply(update);
    changed.add(changes.size());
    if (update instanceof MapStore.Update.Snapshot) {
      loads.increment();
    }
    if (!changes.isEmpty()) {
      tell(changes);
    }
    position.move(update.position());
  }

  private void tell(List<Change<K, V>> changes) {
    Set<Kind> kinds = new LinkedHashSet<>();
    changes.forEach(change -> kinds.add(change.kind()));
    for (MapSubscription<Kind> each : kindSubscriptions) {
      kinds.forEach(kind -> each.offer(List.of(kind)));
    }
    entrySubscriptions.forEach(each -> each.offer(changes));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<V> get(K key) {
    Objects.requireNonNull(key, MapCodecs.NO_KEY);
    return entries.get(key);
  }

  @Override
  public List<V> list(K key) {
    Objects.requireNonNull(key, MapCodecs.NO_KEY);
    return entries.list(key);
  }

  @Override
  public boolean contains(K key) {
    Objects.requireNonNull(key, MapCodecs.NO_KEY);
    return entries.contains(key);
  }

  @Override
  public Set<K> keys() {
    return entries.keys();
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public Map<K, V> snapshot() {
    return entries.snapshot();
  }

  @Override
  public Optional<V> set(K key, V value) {
    return codecs.valueOf(write(settingOf(key, value)).previous());
  }

  @Override
  public Optional<V> set(Transaction tx, K key, V value) {
    return codecs.valueOf(write(tx, settingOf(key, value)).previous());
  }

  private MapWrite.Set settingOf(K key, V value) {
    return new MapWrite.Set(codecs.key(key), codecs.value(value));
  }

  @Override
  public Optional<V> setAndWait(K key, V value, Duration timeout) {
    Objects.requireNonNull(timeout, "The timeout is null");
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout is " + timeout + "; it must be positive");
    }
    MapStore.Outcome outcome = write(settingOf(key, value));
    MapStore.Position written =
        outcome
            .position()
            .orElseThrow(
                () ->
                    new CopyLagException(
                        ("'%s' was set in the map '%s', but the store did not tell at which place,"
                                + " so nobody knows when the local copy has seen it")
                            .formatted(key, name)));
    switch (position.await(written, timeout)) {
      case REACHED -> {}
      case TIMED_OUT ->
          throw new CopyLagException(
              "'%s' was set in the map '%s', but the local copy has not seen it within %s"
                  .formatted(key, name, timeout));
      case CLOSED ->
          throw new IllegalStateException(
              "'%s' was set in the map '%s', which was closed before the local copy had seen it"
                  .formatted(key, name));
    }
    return codecs.valueOf(outcome.previous());
  }

  @Override
  public boolean setIfAbsent(K key, V value) {
    return write(new MapWrite.SetIfAbsent(codecs.key(key), codecs.value(value))).changed();
  }

  @Override
  public Swap<V> testAndSet(K key, V expected, V value) {
    return swap(
        write(
            new MapWrite.TestAndSet(codecs.key(key), codecs.value(expected), codecs.value(value))));
  }

  @Override
  public long increment(K key, long delta) {
    return number(write(new MapWrite.Increment(codecs.key(key), delta)));
  }

  @Override
  public long increment(Transaction tx, K key, long delta) {
    return number(write(tx, new MapWrite.Increment(codecs.key(key), delta)));
  }

  private static long number(MapStore.Outcome outcome) {
    return Codec.NUMBER.decode(outcome.current().orElseThrow());
  }

  @Override
  public List<V> append(K key, List<V> values) {
    return codecs.list(
        write(new MapWrite.Append(codecs.key(key), codecs.values(values), false)).current());
  }

  @Override
  public List<V> appendUnique(K key, List<V> values) {
    return codecs.list(
        write(new MapWrite.Append(codecs.key(key), codecs.values(values), true)).current());
  }

  @Override
  public Removal<V> removeValues(K key, List<V> values) {
    MapStore.Outcome outcome =
        write(new MapWrite.RemoveValues(codecs.key(key), codecs.values(values)));
    return new Removal<>(codecs.list(outcome.current()), outcome.changed());
  }

  @Override
  public Optional<V> delete(K key) {
    return codecs.valueOf(write(new MapWrite.Delete(codecs.key(key))).previous());
  }

  @Override
  public Optional<V> delete(Transaction tx, K key) {
    return codecs.valueOf(write(tx, new MapWrite.Delete(codecs.key(key))).previous());
  }

  @Override
  public Swap<V> testAndDelete(K key, V expected) {
    return swap(write(new MapWrite.TestAndDelete(codecs.key(key), codecs.value(expected))));
  }

  private Swap<V> swap(MapStore.Outcome outcome) {
    return new Swap<>(codecs.valueOf(outcome.previous()), outcome.changed());
  }

  @Override
  public void reset() {
    store.apply(new MapWrite.Reset(Map.of()));
  }

  @Override
  public boolean testAndReset(Map<K, V> expected) {
    Objects.requireNonNull(expected, "The expected entries are null; give an empty map for none");
    Map<String, byte[]> encoded = new HashMap<>();
    expected.forEach((key, value) -> encoded.put(codecs.key(key), codecs.value(value)));
    return write(new MapWrite.Reset(encoded)).changed() || expected.isEmpty();
  }

  @Override
  public void destroy() {
    store.apply(new MapWrite.Destroy());
  }

  private MapStore.Outcome write(MapWrite write) {
    checkOpen();
    return store.apply(write);
  }

  private MapStore.Outcome write(Transaction tx, MapWrite.OfKey write) {
    Objects.requireNonNull(tx, "The transaction is null; without one, call without it");
    checkOpen();
    return store.apply(tx, write);
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException(
          "The map '%s' is closed: its copy can be read, and the map reset or destroyed. Join it again to write"
              .formatted(name));
    }
  }

  @Override
  public Subscription onChange(Consumer<Kind> handler) {
    Objects.requireNonNull(handler, NO_HANDLER);
    checkOpen();
    MapSubscription<Kind> subscription =
        MapSubscription.ofKinds(name, handler, kindSubscriptions::remove);
    kindSubscriptions.add(subscription);
    return started(subscription);
  }

  @Override
  public Subscription onEntry(Consumer<Change<K, V>> handler) {
    Objects.requireNonNull(handler, NO_HANDLER);
    checkOpen();
    MapSubscription<Change<K, V>> subscription =
        MapSubscription.ofAll(name, handler, entrySubscriptions::remove);
    entrySubscriptions.add(subscription);
    return started(subscription);
  }

  /** A close at the same time has either seen the subscription or is seen here. */
  private Subscription started(MapSubscription<?> subscription) {
    subscription.start();
    if (closed.get()) {
      subscription.close();
    }
    return subscription;
  }

  @Override
  public MapStatistics statistics() {
    return new MapStatistics(size(), changed.sum(), loads.sum());
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    position.close();
    feed.close();
    kindSubscriptions.forEach(MapSubscription::close);
    entrySubscriptions.forEach(MapSubscription::close);
    handles.remove(this);
  }

  @Override
  public String toString() {
    return "ReplicatedMap(%s, %,d keys%s)".formatted(name, size(), isClosed() ? ", closed" : "");
  }
}
