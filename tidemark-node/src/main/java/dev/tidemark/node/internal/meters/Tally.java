package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * What is counted beside the readings, over all runs. A count changes in the transaction of what it
 * counts, by addition, so that nobody conflicts.
 */
enum Tally {
  /** Readings that a meter sent once more. */
  SENT_AGAIN,
  /** Messages that a meter sent broken. */
  SENT_BROKEN,
  /** Readings that a meter sent after later ones. */
  SENT_LATE,
  /** Readings that a worker had saved before. */
  SEEN_AGAIN,
  /** Messages that a worker has rejected. */
  REJECTED;

  private static final Subspace COUNTS = Subspace.of("demo", "tally");

  private Key key() {
    return COUNTS.pack(name().toLowerCase(Locale.ROOT));
  }

  void add(Transaction tx, int count) {
    if (count > 0) {
      byte[] number =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(count).array();
      tx.mutate(MutationType.ADD, key(), number);
    }
  }

  long count(ReadTransaction tx) {
    return tx.get(key())
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong())
        .orElse(0L);
  }
}
