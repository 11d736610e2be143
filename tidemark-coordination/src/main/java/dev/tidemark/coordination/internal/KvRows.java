package dev.tidemark.coordination.internal;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rows of a subspace in one transaction. */
final class KvRows implements Rows {
  private static final byte[] ONE = Rows.counter(1);

  private final Transaction tx;
  private final Subspace rows;
  private final Subspace wakes;
  private final boolean joined;

  /**
   * The rows that {@link #getAll} and {@link #peekAll} have found, with the own writes: reading
   * them again costs no step.
   */
  private final Map<Tuple, Optional<byte[]>> known = new HashMap<>();

  /** Those of them that were read without conflicts. */
  private final Set<Tuple> peeked = new HashSet<>();

  /**
   * Rows in {@code tx}.
   *
   * @param joined whether another owner commits it
   */
  KvRows(Transaction tx, Subspace rows, Subspace wakes, boolean joined) {
    this.tx = tx;
    this.joined = joined;
    this.rows = rows;
    this.wakes = wakes;
  }

  @Override
  public Optional<byte[]> get(Tuple key) {
    Optional<byte[]> found = known.get(key);
    if (found == null) {
      return tx.get(rows.pack(key));
    }
    if (peeked.remove(key)) {
      tx.addReadConflict(rows.pack(key));
    }
    return found.map(byte[]::clone);
  }

  @Override
  public Map<Tuple, byte[]> getAll(Collection<Tuple> keys) {
    learn(tx, keys);
    Map<Tuple, byte[]> found = HashMap.newHashMap(keys.size());
    keys.forEach(key -> get(key).ifPresent(value -> found.put(key, value)));
    return found;
  }

  @Override
  public Map<Tuple, byte[]> peekAll(Collection<Tuple> keys) {
    peeked.addAll(learn(tx.snapshot(), keys));
    Map<Tuple, byte[]> found = HashMap.newHashMap(keys.size());
    for (Tuple key : keys) {
      known.getOrDefault(key, Optional.empty()).ifPresent(value -> found.put(key, value.clone()));
    }
    return found;
  }

  /** Reads those of {@code keys} that are not known; returns them. */
  private List<Tuple> learn(ReadTransaction reads, Collection<Tuple> keys) {
    List<Tuple> missing = keys.stream().filter(key -> !known.containsKey(key)).toList();
    if (!missing.isEmpty()) {
      Map<Tuple, byte[]> fetched = all(reads, missing);
      missing.forEach(key -> known.put(key, Optional.ofNullable(fetched.get(key))));
    }
    return missing;
  }

  @Override
  public boolean isJoined() {
    return joined;
  }

  private Map<Tuple, byte[]> all(ReadTransaction reads, Collection<Tuple> keys) {
    Map<Key, Tuple> packed = HashMap.newHashMap(keys.size());
    keys.forEach(key -> packed.put(rows.pack(key), key));
    Map<Tuple, byte[]> found = HashMap.newHashMap(keys.size());
    reads.getAll(packed.keySet()).forEach((key, value) -> found.put(packed.get(key), value));
    return found;
  }

  @Override
  public List<Row> scan(Tuple prefix, int limit) {
    return list(tx, rows.range(prefix), limit);
  }

  @Override
  public List<Row> peek(Tuple prefix, Tuple after, int limit) {
    KeyRange all = rows.range(prefix);
    Key begin = after.equals(prefix) ? all.begin() : rows.pack(after).next();
    return begin.compareTo(all.end()) >= 0
        ? List.of()
        : list(tx.snapshot(), new KeyRange(begin, all.end()), limit);
  }

  private List<Row> list(ReadTransaction reads, KeyRange range, int limit) {
    return reads.scan(range).limit(limit).list().stream().map(this::row).toList();
  }

  private Row row(KeyValue found) {
    return new Row(rows.unpack(found.key()), found.value());
  }

  private void write(Tuple key, Optional<byte[]> value) {
    known.put(key, value);
    peeked.remove(key);
  }

  @Override
  public void set(Tuple key, byte[] value) {
    tx.set(rows.pack(key), value);
    write(key, Optional.of(value.clone()));
  }

  @Override
  public boolean addsWithoutReading() {
    return true;
  }

  @Override
  public void add(Tuple key, long delta) {
    known.computeIfPresent(
        key, (same, row) -> Optional.of(Rows.counter(Rows.counter(row.orElse(null)) + delta)));
    tx.mutate(MutationType.ADD, rows.pack(key), Rows.counter(delta));
  }

  @Override
  public void clear(Tuple key) {
    tx.clear(rows.pack(key));
    write(key, Optional.empty());
  }

  @Override
  public void clearAll(Tuple prefix) {
    tx.clear(rows.range(prefix));
    known.clear();
    peeked.clear();
  }

  /** Increments a counter that the listeners watch. The hint is lost: a watch carries no data. */
  @Override
  public void wake(String channel, byte[] hint) {
    tx.mutate(MutationType.ADD, wakes.pack(channel), ONE);
  }

  @Override
  public void forget(String channel) {
    tx.clear(wakes.pack(channel));
  }
}
