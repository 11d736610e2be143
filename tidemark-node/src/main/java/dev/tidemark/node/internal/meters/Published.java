package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import java.util.ArrayList;
import java.util.List;

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

  static Published of(ReadTransaction tx, long meter) {
    return tx.get(LEDGER.pack(meter)).map(Published::parse).orElse(NOTHING);
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
    long count = 0;
    for (KeyValue row : tx.scan(LEDGER.range())) {
      Published published = parse(row.value());
      count += published.next() - published.late().size();
    }
    return count;
  }

  /** Whether the reading with {@code number} was published. */
  boolean contains(long number) {
    return number >= 0 && number < next && !late.contains(number);
  }
}
