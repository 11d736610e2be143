package dev.tidemark.coordination.internal;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows of a subspace in one transaction. */
final class KvRows implements Rows {
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  private final Transaction tx;
  private final Subspace rows;
  private final Subspace wakes;

  KvRows(Transaction tx, Subspace rows, Subspace wakes) {
    this.tx = tx;
    this.rows = rows;
    this.wakes = wakes;
  }

  @Override
  public Optional<byte[]> get(Tuple key) {
    return tx.get(rows.pack(key));
  }

  @Override
  public Map<Tuple, byte[]> getAll(Collection<Tuple> keys) {
    Map<Key, Tuple> packed = HashMap.newHashMap(keys.size());
    keys.forEach(key -> packed.put(rows.pack(key), key));
    Map<Tuple, byte[]> found = HashMap.newHashMap(keys.size());
    tx.getAll(packed.keySet()).forEach((key, value) -> found.put(packed.get(key), value));
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

  @Override
  public void set(Tuple key, byte[] value) {
    tx.set(rows.pack(key), value);
  }

  @Override
  public void clear(Tuple key) {
    tx.clear(rows.pack(key));
  }

  @Override
  public void clearAll(Tuple prefix) {
    tx.clear(rows.range(prefix));
  }

  /** Counts up a key that the listeners watch. The hint is lost: a watch carries nothing. */
  @Override
  public void wake(String channel, byte[] hint) {
    tx.mutate(MutationType.ADD, wakes.pack(channel), ONE);
  }

  @Override
  public void forget(String channel) {
    tx.clear(wakes.pack(channel));
  }
}
