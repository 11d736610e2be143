package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.ledger.Committer;
import dev.tidemark.chaos.ledger.Deed;
import dev.tidemark.chaos.ledger.Horizon;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.util.Optional;

/** Commits by hand to a database in this process, which knows the result of every commit. */
final class EmbeddedCommitter implements Committer {
  /** More conflicts in a row than chance explains: nothing gets through any more. */
  private static final int CONFLICTS_MAX = 10_000;

  private final Parent parent;
  private final Database database;
  private final Horizon horizon;

  EmbeddedCommitter(Parent parent, Database database, Horizon horizon) {
    this.parent = parent;
    this.database = database;
    this.horizon = horizon;
  }

  @Override
  public Versionstamp commit(Deed deed) {
    long newestBefore = horizon.newest();
    for (int conflicts = 0; ; conflicts++) {
      try (Transaction tx = database.begin()) {
        long readVersion = tx.readVersion();
        horizon.check(deed, readVersion, newestBefore);
        Optional<Versionstamp> earlier = deed.done(tx);
        if (earlier.isPresent()) {
          return earlier.get();
        }
        deed.writeTo(tx);
        tx.commit();
        checkCommit(deed, tx, readVersion);
        return tx.versionstamp();
      } catch (ConflictException conflict) {
        if (conflicts == CONFLICTS_MAX) {
          throw conflict;
        }
      }
    }
  }

  private void checkCommit(Deed deed, Transaction tx, long readVersion) {
    long version = tx.committedVersion();
    horizon.committed(version);
    if (version != tx.versionstamp().version() || version <= readVersion) {
      parent.tell(
          new Message.Complaint(
              "Writer %d: commit version %d, versionstamp %s and read version %d do not agree"
                  .formatted(deed.writer(), version, tx.versionstamp(), readVersion)));
    }
  }
}
