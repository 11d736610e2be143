package dev.tidemark.kv.spi;

import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.ReadContext.ReadBody;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.commit.CommitId;
import java.time.Duration;

/** One call of {@code transact} or {@code read} on a database: its attempts and its pauses. */
public final class RetryLoop {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

  /** Attempts that may each outlive the read window before the work itself is too long for it. */
  private static final int TOO_OLD_ATTEMPTS = 3;

  /**
   * Attempts that may be too old though they were short: a server was started again, or a fault was
   * injected. More of them, and the body asks for a version that is gone.
   */
  private static final int TOO_OLD_SHORT_ATTEMPTS = 20;

  /** Attempts that may each wait in vain for a store that does not answer. */
  private static final int UNANSWERED_ATTEMPTS = 3;

  /** Attempts to find out what became of one commit. */
  private static final int SETTLING_ATTEMPTS = 100;

  private static final int NOT_COMMITTED = 1020;

  private final Database database;
  private final TransactionOptions options;
  private final long startNanos;
  private int failures;
  private long attemptNanos;
  private int tooOld;
  private int tooOldShort;
  private int unanswered;

  private RetryLoop(Database database, TransactionOptions options) {
    this.database = database;
    this.options = options;
    this.startNanos = database.time().nanos();
  }

  /** A context that runs every body in transactions of {@code database}, with retries. */
  public static TransactionContext over(Database database, TransactionOptions options) {
    return new TransactionContext() {
      @Override
      public <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
        return new RetryLoop(database, options).transact(body);
      }

      @Override
      public <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
        return new RetryLoop(database, options).read(body);
      }
    };
  }

  private <T, X extends Exception> T transact(TransactionBody<T, X> body) throws X {
    boolean withId =
        database.commitCanBeUnknown()
            && options.idempotency() == TransactionOptions.Idempotency.WHERE_NEEDED;
    while (true) {
      attemptNanos = database.time().nanos();
      try (Transaction tx = database.begin(attemptOptions())) {
        T result = body.apply(tx);
        tx.prepareCommit();
        if (withId && tx.hasWrites()) {
          commitWithId(tx);
        } else {
          tx.commit();
        }
        return result;
      } catch (DatabaseException failure) {
        afterFailure(failure);
      }
    }
  }

  private <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    while (true) {
      attemptNanos = database.time().nanos();
      try (Transaction tx = database.begin(attemptOptions())) {
        return body.apply(tx.snapshot());
      } catch (DatabaseException failure) {
        afterFailure(failure);
      }
    }
  }

  /** Commits with an id that tells, should the result be unknown, whether it happened. */
  private void commitWithId(Transaction tx) {
    IdentifiedCommit commit = IdentifiedCommit.attach(tx, database, CommitId.next());
    try {
      tx.commit();
    } catch (DatabaseException failure) {
      if (!failure.maybeCommitted()) {
        throw failure;
      }
      if (!wasCommitted(commit, failure)) {
        throw notCommitted(failure);
      }
    }
  }

  /** What to throw for a commit that ended in {@code doubt} and did not happen. */
  private static DatabaseException notCommitted(DatabaseException doubt) {
    String text =
        "The result of the commit was unknown at first; it has turned out not to have happened";
    // A medium that failed is for the caller to know of, not to be tried again and again.
    return doubt instanceof StorageException storage
        ? new StorageException(storage.kind(), text + ". " + storage.getMessage(), storage)
        : new UnavailableException(NOT_COMMITTED, text, doubt);
  }

  /**
   * Finds out the outcome of {@code commit}, which ended in {@code doubt}. This has attempts of its
   * own: a caller whose body may run only once still needs the outcome.
   */
  private boolean wasCommitted(IdentifiedCommit commit, DatabaseException doubt) {
    int vain = 0;
    for (int attempt = 0; ; attempt++) {
      try (Transaction tx = database.begin(attemptOptions().withoutSizeLimit())) {
        return switch (commit.settle(tx, database)) {
          case COMMITTED -> true;
          case NOT_COMMITTED -> false;
          case UNKNOWN -> throw doubt;
        };
      } catch (DatabaseException failure) {
        if (failure == doubt) {
          throw doubt;
        }
        vain += waited(failure) ? 1 : 0;
        boolean again = mayBeSettledLater(failure, doubt);
        if (!again || attempt == SETTLING_ATTEMPTS || vain == UNANSWERED_ATTEMPTS) {
          doubt.addSuppressed(failure);
          throw doubt;
        }
        pauseWhileInDoubt(attempt, failure, doubt);
      }
    }
  }

  /** A store whose medium failed and that still cannot tell will not be able to soon. */
  private static boolean mayBeSettledLater(DatabaseException failure, DatabaseException doubt) {
    boolean stillFailed = doubt instanceof StorageException && failure instanceof StorageException;
    return !stillFailed && (failure.retryable() || failure.maybeCommitted());
  }

  private void pauseWhileInDoubt(int attempt, DatabaseException failure, DatabaseException doubt) {
    try {
      pause(attempt, failure);
    } catch (InterruptedOperationException interrupt) {
      doubt.addSuppressed(interrupt);
      throw doubt;
    }
  }

  private void afterFailure(DatabaseException failure) {
    if (failure instanceof TransactionTooOldException && isTooOftenTooOld()) {
      throw failure;
    }
    if (waited(failure) && ++unanswered == UNANSWERED_ATTEMPTS) {
      throw failure;
    }
    if (!failure.retryable() || failures == options.retryLimit()) {
      throw failure;
    }
    pause(failures++, failure);
  }

  /**
   * Only attempts that outlived the window show that the work is too long. The version may have
   * been a little old when the attempt began, so half of the window is enough.
   */
  private boolean isTooOftenTooOld() {
    Duration window = database.limits().readWindow();
    boolean outlived = database.time().nanos() - attemptNanos >= window.toNanos() / 2;
    return outlived ? ++tooOld == TOO_OLD_ATTEMPTS : ++tooOldShort == TOO_OLD_SHORT_ATTEMPTS;
  }

  private static boolean waited(DatabaseException failure) {
    return failure instanceof UnavailableException away && away.waited();
  }

  /** Waits for a random time that may be longer the more failures there were before. */
  private void pause(int earlier, DatabaseException failure) {
    try {
      Backoff.of(FIRST_PAUSE, options.maxRetryDelay()).pause(earlier + 1, database.time());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted between two attempts of a transaction", failure);
    }
  }

  private TransactionOptions attemptOptions() {
    Duration timeout = options.timeout().orElse(null);
    if (timeout == null) {
      return options;
    }
    Duration left = timeout.minusNanos(database.time().nanos() - startNanos);
    if (!left.isPositive()) {
      throw new TransactionTimedOutException(
          "%d attempts took longer than the timeout of %s".formatted(failures + 1, timeout), false);
    }
    return options.withTimeout(left);
  }
}
