package dev.tidemark.kv.spi;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.util.function.Supplier;

/**
 * A transaction of an engine that commits without a thread that waits for the outcome. Servers
 * commit so for their clients on the threads of the network.
 */
public abstract class PromptTransaction extends IdentifiedTransaction {
  /** A transaction within {@code limits}. */
  protected PromptTransaction(TransactionOptions options, Limits limits, TimeSource time) {
    super(options, limits, time);
  }

  /** The identity of the store and of its opening. */
  public abstract StoreIdentity identity();

  /**
   * Enqueues a commit that writes something. Called at most once.
   *
   * @return the action that wakes the committer
   */
  protected abstract Runnable commitLater(Commit commit, CommitListener listener);

  /**
   * Enqueues the commit of a transaction that writes something and watches nothing, and does not
   * wait for its outcome: {@code listener} is called with it. A commit of sets and clears of single
   * keys needs no lookup, so that this call never blocks for it. A timeout has no effect on a
   * commit that is enqueued.
   *
   * @return the action that wakes the committer, should it sleep; called once, it does so for all
   *     commits enqueued before
   */
  public final Runnable commitLater(CommitListener listener) {
    prepareCommit();
    Commit commit = beginCommit();
    try {
      if (commit == null || hasWatches()) {
        throw UsageException.invalidOperation(
            "Only a transaction that writes something and watches nothing is committed later");
      }
      return commitLater(commit, finishingFor(listener));
    } catch (RuntimeException refused) {
      finishFailed();
      throw refused;
    }
  }

  private CommitListener finishingFor(CommitListener listener) {
    return new CommitListener() {
      @Override
      public void committed(Commit.Position where) {
        finishCommitted(where);
        listener.committed(where);
      }

      @Override
      public void failed(Supplier<? extends DatabaseException> why) {
        finishFailed();
        listener.failed(why);
      }

      @Override
      public void allTold() {
        listener.allTold();
      }
    };
  }
}
