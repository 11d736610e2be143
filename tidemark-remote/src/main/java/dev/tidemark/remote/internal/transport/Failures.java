package dev.tidemark.remote.internal.transport;

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
import dev.tidemark.remote.internal.wire.Failure;

/** Exceptions of the served database as they cross the network. */
public final class Failures {
  /** FoundationDB's code for a server that cannot answer at the moment, which its clients retry. */
  static final int PROCESS_BEHIND = 1037;

  private static final int DATABASE_CLOSED = 2000;
  private static final int INTERNAL_ERROR = 4100;

  private Failures() {}

  /** The message for {@code exception}. */
  public static Failure toWire(Throwable exception) {
    if (!(exception instanceof DatabaseException failure)) {
      return Failure.newBuilder()
          .setKind(Failure.Kind.OTHER)
          .setCode(INTERNAL_ERROR)
          .setMessage("The server failed: " + exception)
          .setMaybeCommitted(true)
          .build();
    }
    Failure.Kind kind = kindOf(failure);
    boolean passing = kind == Failure.Kind.UNAVAILABLE && !failure.retryable();
    Failure.Builder wire =
        Failure.newBuilder()
            .setKind(kind)
            .setCode(passing ? PROCESS_BEHIND : failure.code())
            .setMessage(String.valueOf(failure.getMessage()))
            .setMaybeCommitted(failure.maybeCommitted());
    if (failure instanceof LimitExceededException limit) {
      wire.setActual(limit.actual()).setLimit(limit.limit());
    }
    if (failure instanceof StorageException storage) {
      wire.setStorageKind(storage.kind().name());
    }
    return wire.build();
  }

  private static Failure.Kind kindOf(DatabaseException failure) {
    return switch (failure) {
      case CommitUnknownException unknown -> Failure.Kind.COMMIT_UNKNOWN;
      case ConflictException conflict -> Failure.Kind.CONFLICT;
      case LimitExceededException limit -> Failure.Kind.LIMIT_EXCEEDED;
      case StorageException storage -> Failure.Kind.STORAGE;
      // The client's own database is open; the served one is going down.
      case TransactionClosedException closed when closed.code() == DATABASE_CLOSED ->
          Failure.Kind.UNAVAILABLE;
      case TransactionClosedException closed -> Failure.Kind.TRANSACTION_CLOSED;
      case TransactionTimedOutException timedOut -> Failure.Kind.TRANSACTION_TIMED_OUT;
      case TransactionTooOldException tooOld -> Failure.Kind.TRANSACTION_TOO_OLD;
      case UnavailableException unavailable -> Failure.Kind.UNAVAILABLE;
      case InterruptedOperationException interrupted -> Failure.Kind.UNAVAILABLE;
      case UsageException usage -> Failure.Kind.USAGE;
      case UnreadableKeyException unreadable -> Failure.Kind.USAGE;
    };
  }

  /** The exception for {@code failure}; {@code duringCommit} if the request was a commit. */
  public static DatabaseException toException(Failure failure, boolean duringCommit) {
    String message = failure.getMessage();
    return switch (failure.getKind()) {
      case COMMIT_UNKNOWN -> new CommitUnknownException(message, null);
      case CONFLICT -> new ConflictException(message);
      case LIMIT_EXCEEDED ->
          LimitExceededException.reported(
              failure.getCode(), message, failure.getActual(), failure.getLimit());
      case STORAGE ->
          new StorageException(
              storageKind(failure.getStorageKind()), message, failure.getMaybeCommitted(), null);
      case TRANSACTION_CLOSED -> TransactionClosedException.cancelled(message);
      case TRANSACTION_TIMED_OUT ->
          new TransactionTimedOutException(message, failure.getMaybeCommitted());
      case TRANSACTION_TOO_OLD -> new TransactionTooOldException(message);
      case UNAVAILABLE -> new UnavailableException(failure.getCode(), message, null);
      case USAGE -> UsageException.reported(failure.getCode(), message);
      case OTHER, UNRECOGNIZED ->
          new StorageException(
              StorageException.Kind.IO_ERROR,
              message,
              duringCommit && failure.getMaybeCommitted(),
              null);
    };
  }

  /** Kinds that a newer server knows and this client does not are failures of the medium too. */
  private static StorageException.Kind storageKind(String name) {
    for (StorageException.Kind kind : StorageException.Kind.values()) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return StorageException.Kind.IO_ERROR;
  }
}
