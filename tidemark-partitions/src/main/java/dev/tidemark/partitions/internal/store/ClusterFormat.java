package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.util.Optional;

/** The version of all keys and rows of a cluster together. */
public final class ClusterFormat {
  /** The one that this version of Tidemark reads and writes. */
  public static final long VERSION = 1;

  private ClusterFormat() {}

  /** Writes the version into a new cluster; refuses a cluster of another one. */
  public static void check(Transaction tx, PartitionKeys keys) {
    Optional<Long> found = tx.get(keys.format()).map(CounterRow::decode).map(CounterRow::value);
    if (found.isEmpty()) {
      tx.set(keys.format(), new CounterRow(VERSION).encode());
    } else if (found.get() != VERSION) {
      throw new PartitionException(
          Reason.CORRUPT,
          "The cluster is of format %d; this version of Tidemark reads %d. Upgrade it"
              .formatted(found.get(), VERSION));
    }
  }
}
