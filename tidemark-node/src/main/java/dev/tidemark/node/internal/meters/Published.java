package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The ledger of the publishers, written in the transactions that add the events: how many readings
 * of a meter were published, and which of them are held back to come late.
 *
 * @param next the number of the next reading
 * @param late numbers before it that are still to come
 */
record Published(long next, List<Long> late) {
  static final Published NOTHING = new Published(0, List.of());

  private static final Subspace LEDGER = Subspace.of("demo", "published");

  Published {
    late = List.copyOf(late);
  }

  /** The rows of all meters that have ever published, by meter. */
  static NavigableMap<Long, Published> all(ReadTransaction tx) {
    NavigableMap<Long, Published> all = new TreeMap<>();
    for (KeyValue row : tx.scan(LEDGER.range())) {
      all.put(LEDGER.unpack(row.key()).getLong(0), parse(row.value()));
    }
    return all;
  }

  void write(Transaction tx, long meter) {
    Key key = LEDGER.pack(meter);
    Tuple row = Tuple.of(next);
    for (long number : late) {
      row = row.append(number);
    }
    tx.set(key, row.pack());
  }

  private static Published parse(byte[] bytes) {
    Tuple row = Tuple.unpack(bytes);
    List<Long> late = new ArrayList<>();
    for (int i = 1; i < row.size(); i++) {
      late.add(row.getLong(i));
    }
    return new Published(row.getLong(0), late);
  }

  /** How many readings of all meters were published. */
  static long count(ReadTransaction tx) {
    return all(tx).values().stream().mapToLong(Published::count).sum();
  }

  /** How many readings were published. */
  long count() {
    return next - late.size();
  }

  /** Whether the reading with {@code number} was published. */
  boolean contains(long number) {
    return number >= 0 && number < next && !late.contains(number);
  }
}
