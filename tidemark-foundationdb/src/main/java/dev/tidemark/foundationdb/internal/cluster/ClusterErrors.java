package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.FDBException;
import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;

/** FoundationDB's errors as ours, code by code. */
final class ClusterErrors {
  private ClusterErrors() {}

  /** The failure of a read or of any other call but a commit. */
  static DatabaseException of(FDBException error) {
    return of(error, false);
  }

  /** The failure of a commit. */
  static DatabaseException ofCommit(FDBException error) {
    return of(error, true);
  }

  private static DatabaseException of(FDBException error, boolean committing) {
    int code = error.getCode();
    return switch (code) {
      case 1007 ->
          new TransactionTooOldException(
              text(error, "A transaction has five seconds from its first read; do less in one"));
      case 1020 ->
          new ConflictException(text(error, "Another commit changed what this transaction read"));
      // In doubt: the connection was lost, or the cluster was upgraded, with a commit on its way;
      // or it was ended there by another call (1025, 1101 and 2017 below).
      case 1021, 1022, 1039 -> inDoubt(error, committing);
      case 1025 ->
          committing
              ? inDoubt(error, true)
              : TransactionClosedException.cancelled(text(error, "Begin a new transaction"));
      case 1031 ->
          new TransactionTimedOutException(
              text(error, "Raise TransactionOptions.timeout, or do less in one transaction"),
              committing);
      case 1032 ->
          LimitExceededException.reported(
              code, text(error, "Close watches that are no longer needed"), -1, -1);
      case 1036 ->
          UnreadableKeyException.reported(
              text(error, "It gets a versionstamp at commit; read it in a later transaction"));
      // Passing: the cluster is busy, behind, locked or throttles.
      case 1009, 1037, 1038, 1042, 1051, 1078, 1213, 1223, 1235 ->
          new UnavailableException(code, text(error, "A later attempt may succeed"), error);
      case 1101 ->
          committing
              ? inDoubt(error, true)
              : new InterruptedOperationException(
                  text(error, "The wait for it was given up"), error);
      case 1515 ->
          UsageException.reported(
              code, text(error, "Name the cluster file in FoundationDb.open, or put one there"));
      case 2017 ->
          committing
              ? inDoubt(error, true)
              : TransactionClosedException.committed(
                  text(error, "Begin a new one for further work"));
      case 2101 ->
          LimitExceededException.reported(
              code, text(error, "Split the work over several transactions"), -1, -1);
      case 2102 ->
          LimitExceededException.reported(
              code, text(error, "Use a shorter key, or a hash of the long part"), -1, -1);
      case 2103 ->
          LimitExceededException.reported(
              code, text(error, "Split the value over several keys"), -1, -1);
      case 2203 ->
          UsageException.reported(
              code,
              text(error, "Tidemark needs FoundationDB's client 7.4 or later; install that one"));
      default -> unlisted(error, committing);
    };
  }

  /** A code that this table does not know: the client says what kind it is. */
  private static DatabaseException unlisted(FDBException error, boolean committing) {
    if (error.isMaybeCommitted()) {
      return inDoubt(error, committing);
    }
    if (error.isRetryable()) {
      return new UnavailableException(
          error.getCode(), text(error, "A later attempt may succeed"), error);
    }
    return isMistake(error.getCode())
        ? UsageException.reported(error.getCode(), text(error, "The call is not possible so"))
        : StorageException.reported(
            error.getCode(), text(error, "Look at the cluster's status"), committing, error);
  }

  private static DatabaseException inDoubt(FDBException error, boolean committing) {
    return committing
        ? new CommitUnknownException(
            text(error, "Read what it should have written before it is tried again"), error)
        : new UnavailableException(
            error.getCode(), text(error, "A later attempt may succeed"), error);
  }

  /** FoundationDB's codes from 2000 on are mistakes of the client. */
  private static boolean isMistake(int code) {
    return code >= 2000 && code < 4000;
  }

  private static String text(FDBException error, String remedy) {
    return "%s (FoundationDB's error %d). %s"
        .formatted(error.getMessage(), error.getCode(), remedy);
  }
}
