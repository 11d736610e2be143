package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;

/**
 * The context of the reads of one node.
 *
 * @param tx reads
 * @param meter the remaining budget
 * @param counts the work of the node
 */
public record Reads(ReadTransaction tx, Meter meter, Counts counts) {
  /** Charges {@code row}. */
  public void spend(KeyValue row) {
    counts.readKey();
    meter.spend(row.key().size() + row.value().length);
  }
}
