package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.PartitionRow;

/** A write by a process that does not own its partition any more. Nothing was written. */
public final class FencedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FencedException(PartitionRow row, String owner, long epoch) {
    super(
        "Partition %s belongs to %s since epoch %d; %s claimed it in epoch %d and may not write"
            .formatted(
                TokenName.of(row.token()),
                row.owner().orElse("nobody"),
                row.epoch(),
                owner,
                epoch));
  }

  FencedException(String token, String owner) {
    super(
        "Partition %s is not known to the run any more; %s may not write"
            .formatted(TokenName.of(token), owner));
  }
}
