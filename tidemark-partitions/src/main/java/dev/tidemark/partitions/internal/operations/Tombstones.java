package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Transaction;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import dev.tidemark.partitions.internal.store.Phase;
import java.util.List;
import java.util.Map;

/**
 * The ownership rows of partitions that were merged into others. Such a row stays as long as the
 * operation that merged the partition is listed: until then the operation may still have to derive
 * routes from it, an operator hears what became of the partition, and a server that was away for
 * long may still write a piece of a checkpoint.
 *
 * <p>That it goes then lets no former owner write: servers never create an ownership row, and
 * refuse to go on where there is none. An append that does not read the row has it among its read
 * conflicts, and its removal is a write like any other. Names of partitions are not used again, so
 * nobody creates the row anew.
 */
public final class Tombstones {
  private static final int AT_ONCE = 100;

  private final TermWrites term;
  private final ClusterRows rows;

  /** Nothing is removed yet. */
  public Tombstones(TermWrites term, ClusterRows rows) {
    this.term = term;
    this.rows = rows;
  }

  /** Removes, among the rows of all partitions, those that nobody needs any more. */
  public void sweep(Map<String, OwnershipRow> ownerships) {
    if (ownerships.values().stream().noneMatch(row -> row.phase() == Phase.RETIRED)) {
      return;
    }
    Map<String, OperationRow> listed = term.read(rows.operations()::all);
    List<String> over =
        ownerships.entrySet().stream()
            .filter(row -> row.getValue().phase() == Phase.RETIRED)
            .filter(row -> row.getValue().operation().filter(listed::containsKey).isEmpty())
            .map(Map.Entry::getKey)
            .limit(AT_ONCE)
            .toList();
    if (!over.isEmpty()) {
      term.store((tx, control) -> remove(tx, control, over));
    }
  }

  private int remove(Transaction tx, Rows control, List<String> over) {
    for (String partition : over) {
      boolean isRetired =
          rows.routing()
              .owner(tx, partition)
              .filter(row -> row.phase() == Phase.RETIRED)
              .filter(row -> !isListed(control, row))
              .isPresent();
      if (isRetired) {
        PartitionKeys keys = rows.keys();
        tx.clear(keys.ownership(partition));
        tx.clear(keys.log(partition));
        tx.clear(keys.logHead(partition));
        tx.clear(keys.checkpointHead(partition));
        tx.clear(keys.checkpoints(partition));
      }
    }
    return over.size();
  }

  private boolean isListed(Rows control, OwnershipRow row) {
    return row.operation().flatMap(id -> rows.operations().find(control, id)).isPresent();
  }
}
