package dev.tidemark.kv.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.ReadContext.ReadBody;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.TransactionContext.TransactionBody;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.TransactionTooOldException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** One call of {@code transact} or {@code read} on a database: its attempts and its pauses. */
public final class RetryLoop {
  private static final long FIRST_PAUSE_NANOS = 1_000_000;

  /** Attempts that may each outlive the read window before the work itself is too long for it. */
  private static final int TOO_OLD_ATTEMPTS = 3;

  private final Database database;
  private final TransactionOptions options;
  private final long startNanos;
  private int failures;
  private int tooOld;

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
      try (Transaction tx = database.begin(attemptOptions())) {
        T result = body.apply(tx);
        if (withId ? commitWithId(tx) : commit(tx)) {
          return result;
        }
      } catch (DatabaseException failure) {
        afterFailure(failure);
      }
    }
  }

  private <T, X extends Exception> T read(ReadBody<T, X> body) throws X {
    while (true) {
      try (Transaction tx = database.begin(attemptOptions())) {
        return body.apply(tx);
      } catch (DatabaseException failure) {
        afterFailure(failure);
      }
    }
  }

  private static boolean commit(Transaction tx) {
    tx.commit();
    return true;
  }

  /** Commits with an id that tells, should the result be unknown, whether it happened. */
  private boolean commitWithId(Transaction tx) {
    IdempotencyId id = IdempotencyId.attach(tx);
    try {
      tx.commit();
      return true;
    } catch (DatabaseException failure) {
      if (!failure.maybeCommitted()) {
        throw failure;
      }
      return settle(id, failure);
    }
  }

  /** Finds out what became of a commit with {@code id} that ended in {@code doubt}. */
  private boolean settle(IdempotencyId id, DatabaseException doubt) {
    while (true) {
      try (Transaction tx = database.begin(attemptOptions())) {
        return id.wasCommitted(tx, doubt);
      } catch (DatabaseException failure) {
        if (failure == doubt) {
          throw doubt;
        }
        try {
          pauseAfter(failure, failure.retryable() || failure.maybeCommitted());
        } catch (DatabaseException end) {
          doubt.addSuppressed(end);
          throw doubt;
        }
      }
    }
  }

  private void afterFailure(DatabaseException failure) {
    if (failure instanceof TransactionTooOldException && ++tooOld == TOO_OLD_ATTEMPTS) {
      throw failure;
    }
    pauseAfter(failure, failure.retryable());
  }

  private void pauseAfter(DatabaseException failure, boolean again) {
    if (!again || failures == options.retryLimit()) {
      throw failure;
    }
    long cap =
        Math.min(FIRST_PAUSE_NANOS << Math.min(failures, 20), options.maxRetryDelay().toNanos());
    failures++;
    try {
      database.time().sleep(Duration.ofNanos(ThreadLocalRandom.current().nextLong(cap + 1)));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted between two attempts of a transaction", failure);
    }
  }

  private TransactionOptions attemptOptions() {
    if (options.timeout().isZero()) {
      return options;
    }
    Duration left = options.timeout().minusNanos(database.time().nanos() - startNanos);
    if (left.isNegative() || left.isZero()) {
      throw new TransactionTimedOutException(
          "%d attempts took longer than the timeout of %s"
              .formatted(failures + 1, options.timeout()),
          false);
    }
    return options.withTimeout(left);
  }
}
