package dev.tidemark.changes;

import java.util.Optional;

/**
 * A sink that keeps positions itself, in the same transaction as the effects of a batch.
 *
 * <p>The reader asks it where a partition stands each time it begins to read one; its answer takes
 * precedence over the metadata store's position. The batch handler stores {@link
 * ChangeBatch#resume} under the batch's token, in the sink's own transaction, and refuses a batch
 * whose {@link ChangeBatch#epoch} is less than the one stored.
 */
@FunctionalInterface
public interface PositionKeeper {
  /**
   * Where the partition {@code token} stands, if the sink has stored something of it.
   *
   * @param epoch the epoch under which it is read from now on
   */
  Optional<ResumePoint> position(String token, long epoch);
}
