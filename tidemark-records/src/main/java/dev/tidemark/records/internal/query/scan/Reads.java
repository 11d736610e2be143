package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;

/**
 * What the reads of one node share.
 *
 * @param tx reads
 * @param meter what may still be read
 * @param counts what the node has done
 */
public record Reads(ReadTransaction tx, Meter meter, Counts counts) {
  /** Notes that {@code row} was looked at. */
  public void spend(KeyValue row) {
    counts.readKey();
    meter.spend(row.key().size() + row.value().length);
  }
}
