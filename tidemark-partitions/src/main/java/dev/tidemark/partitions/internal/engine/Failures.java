package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.lang.System.Logger.Level;

/** Where failures go that no caller hears of. */
final class Failures {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private Failures() {}

  /** A moved partition is no failure: it is logged without a stack trace. */
  static void report(String what, Throwable failure) {
    if (failure instanceof PartitionException known && known.reason() == Reason.MOVED) {
      LOG.log(Level.INFO, what + ": " + failure.getMessage());
    } else {
      LOG.log(Level.WARNING, what + ": " + failure.getMessage(), failure);
    }
  }
}
