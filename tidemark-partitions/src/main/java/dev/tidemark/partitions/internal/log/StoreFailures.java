package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;

/** What callers are told of a step that may be repeated, when it fails. */
public final class StoreFailures {
  private StoreFailures() {}

  /**
   * The failure as one of partitions: BUSY where the store has a passing trouble, so that the step
   * is repeated, and FAILED otherwise.
   *
   * @param what a sentence that says what failed, without its end
   */
  public static PartitionException of(String what, Throwable failure) {
    return switch (failure) {
      case PartitionException known -> known;
      case DatabaseException outage when isPassing(outage) ->
          new PartitionException(
              Reason.BUSY, "%s; the store: %s".formatted(what, outage.getMessage()), outage);
      default -> new PartitionException(Reason.FAILED, "%s: %s".formatted(what, failure), failure);
    };
  }

  private static boolean isPassing(DatabaseException outage) {
    return outage.retryable()
        || outage.maybeCommitted()
        || outage instanceof TransactionTimedOutException;
  }
}
