package dev.tidemark.changes.internal.engine;

import java.time.Duration;

/** What a reader logs. Partitions have short names in it, and values are never logged. */
final class Log {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.changes");

  private Log() {}

  static void overdue(String partition, Duration timeout) {
    LOG.log(
        System.Logger.Level.WARNING,
        "A change of partition " + partition + " was not acknowledged within " + timeout);
  }

  static void gap(String partition, String span) {
    LOG.log(
        System.Logger.Level.WARNING,
        "Changes of partition %s %s were removed before they were read, or the stream did not exist yet"
            .formatted(partition, span));
  }

  static void failed(String run, Throwable cause) {
    LOG.log(System.Logger.Level.ERROR, "The reader of run '" + run + "' has failed", cause);
  }

  static void retried(String run, String what, Throwable cause) {
    LOG.log(
        System.Logger.Level.WARNING,
        "The reader of run '" + run + "' will try again: " + what,
        cause);
  }
}
