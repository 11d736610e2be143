package dev.tidemark.kv.spi;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.commit.CommitId;

/*
 * Where the id of a commit is kept
 *
 * A store that keeps ids itself stores them beside the commits, and answers what became of one. On
 * any other store the id is a key among the others (IdempotencyKey). A server does for its clients
 * what a program does in its own process, so that either kind of store can be served.
 */

/**
 * A commit whose outcome can be found out by its id if its result is unknown.
 *
 * @param id its id
 * @param version the version from which on its conflicts are checked
 */
public record IdentifiedCommit(CommitId id, long version) {
  /** Gives the coming commit of {@code tx} the id {@code id}. */
  public static IdentifiedCommit attach(Transaction tx, Database database, CommitId id) {
    if (tx instanceof IdentifiedTransaction identified) {
      return new IdentifiedCommit(id, identified.identify(id));
    }
    long version =
        tx instanceof OverlaidReads overlaid ? overlaid.conflictVersion() : tx.readVersion();
    IdempotencyKey.attach(tx, database, id, version);
    return new IdentifiedCommit(id, version);
  }

  /**
   * The outcome, found out in {@code tx} of {@code database}, which cannot be used for anything
   * else. If the commit had not happened, it can no longer happen when this returns.
   */
  public CommitId.Fate settle(Transaction tx, Database database) {
    return tx instanceof IdentifiedTransaction identified
        ? identified.settle(this)
        : IdempotencyKey.settle(tx, database, id, version);
  }
}
