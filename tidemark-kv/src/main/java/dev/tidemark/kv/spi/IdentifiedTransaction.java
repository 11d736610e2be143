package dev.tidemark.kv.spi;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.spi.commit.CommitId;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of an engine that keeps the ids of commits. A commit whose reply was lost is
 * settled by its id. Engines without such ids have them kept as keys, by {@link IdentifiedCommit}.
 */
public abstract class IdentifiedTransaction extends BufferedTransaction {
  /** Guarded by lock. */
  private @Nullable CommitId id;

  /** A transaction within {@code limits}. */
  protected IdentifiedTransaction(TransactionOptions options, Limits limits, TimeSource time) {
    super(options, limits, time);
  }

  /**
   * Gives the commit the id {@code id}. The commit is refused if it comes so late that its
   * conflicts can no longer be checked.
   *
   * @return the version from which its conflicts are checked
   */
  public final long identify(CommitId id) {
    long version = conflictVersion();
    lock.lock();
    try {
      this.id = id;
    } finally {
      lock.unlock();
    }
    return version;
  }

  /**
   * The fate of {@code commit}, which another transaction made. If it was not committed, it cannot
   * be committed any more when this returns.
   */
  public abstract CommitId.Fate settle(IdentifiedCommit commit);

  @Override
  final @Nullable CommitId commitId() {
    return id;
  }
}
