package dev.tidemark.chaos.changes;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the readers of {@code chaos changes} do with a change, in the transaction that stores their
 * position: they count it, and compare it with the last one of its record.
 */
final class ChangesEffects {
  private static final Subspace COUNTS = Subspace.of("effects", "counts");
  private static final Subspace LAST = Subspace.of("effects", "last");
  private static final Subspace INVERSIONS = Subspace.of("effects", "inversions");
  private static final byte[] ONE = bytes(1);

  private final Transaction tx;
  private final Map<Long, Long> last = new HashMap<>();

  ChangesEffects(Transaction tx) {
    this.tx = tx;
  }

  /** The record {@code id} has got {@code value}. */
  void apply(long id, long value) {
    tx.mutate(MutationType.ADD, COUNTS.pack(id, value), ONE);
    long before =
        last.computeIfAbsent(
            id, key -> tx.get(LAST.pack(key)).map(ChangesEffects::number).orElse(0L));
    if (value <= before) {
      tx.mutate(MutationType.ADD, INVERSIONS.pack(id, value), ONE);
    } else {
      tx.set(LAST.pack(id), bytes(value));
      last.put(id, value);
    }
  }

  /** How often each value of the record {@code id} took effect. */
  static Map<Long, Long> counts(ReadTransaction tx, long id) {
    Map<Long, Long> counts = new HashMap<>();
    rows(tx, COUNTS.range(Tuple.of(id)))
        .forEach(row -> counts.put(COUNTS.unpack(row.key()).getLong(1), number(row.value())));
    return counts;
  }

  /** The last value of the record {@code id} that took effect; 0 for none. */
  static long last(ReadTransaction tx, long id) {
    return tx.get(LAST.pack(id)).map(ChangesEffects::number).orElse(0L);
  }

  /** Values that came after a later one of the same record, as texts. */
  static List<String> inversions(ReadTransaction tx) {
    return rows(tx, INVERSIONS.range()).stream()
        .map(row -> "record and value " + INVERSIONS.unpack(row.key()))
        .toList();
  }

  private static List<KeyValue> rows(ReadTransaction tx, KeyRange range) {
    return tx.snapshot().scan(range).list();
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
