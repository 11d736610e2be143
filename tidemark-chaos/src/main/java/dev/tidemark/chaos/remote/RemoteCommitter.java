package dev.tidemark.chaos.remote;

import dev.tidemark.chaos.ledger.Committer;
import dev.tidemark.chaos.ledger.Deed;
import dev.tidemark.chaos.ledger.Horizon;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Commits to a database behind connections that break.
 *
 * <p>Most first attempts rely on the database's own retry loop not to commit twice when a reply was
 * lost; this is what the run tests. The others commit by hand. Only after a failure does a deed
 * check, in the transaction that would repeat it, whether it was committed.
 */
final class RemoteCommitter implements Committer {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int BY_HAND_ONE_IN = 4;

  private final Parent parent;
  private final Database database;
  private final Horizon horizon;

  RemoteCommitter(Parent parent, Database database, Horizon horizon) {
    this.parent = parent;
    this.database = database;
    this.horizon = horizon;
  }

  @Override
  public Versionstamp commit(Deed deed) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    boolean mayBeDone = false;
    while (true) {
      try {
        long newestBefore = horizon.newest();
        if (mayBeDone) {
          database.run(tx -> doUnlessDone(deed, tx, newestBefore));
        } else if (ThreadLocalRandom.current().nextInt(BY_HAND_ONE_IN) == 0) {
          byHand(deed, newestBefore);
        } else {
          database.run(tx -> doIt(deed, tx, newestBefore));
        }
        return readBack(deed);
      } catch (DatabaseException failure) {
        mayBeDone = true;
        boolean again = failure.retryable() || failure.maybeCommitted();
        if (!again || System.nanoTime() > deadline) {
          throw failure;
        }
      }
    }
  }

  private void doIt(Deed deed, Transaction tx, long newestBefore) {
    horizon.check(deed, tx.readVersion(), newestBefore);
    deed.writeTo(tx);
  }

  private void doUnlessDone(Deed deed, Transaction tx, long newestBefore) {
    if (deed.done(tx).isEmpty()) {
      doIt(deed, tx, newestBefore);
    }
  }

  private void byHand(Deed deed, long newestBefore) {
    try (Transaction tx = database.begin()) {
      doIt(deed, tx, newestBefore);
      tx.commit();
    } catch (DatabaseException failure) {
      if (failure.maybeCommitted()) {
        parent.tell(new Message.Unknown());
      }
      throw failure;
    }
  }

  private Versionstamp readBack(Deed deed) {
    Optional<Versionstamp> stamp = database.read(deed::done);
    if (stamp.isEmpty()) {
      throw new IllegalStateException(
          "Number %d was committed and cannot be read".formatted(deed.sequence()));
    }
    horizon.committed(stamp.get().version());
    return stamp.get();
  }
}
