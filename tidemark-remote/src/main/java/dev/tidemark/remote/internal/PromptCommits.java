package dev.tidemark.remote.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.internal.BufferedTransaction;
import dev.tidemark.kv.internal.Commit;
import dev.tidemark.kv.internal.CommitListener;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Reply;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one session that no thread waits for. Whoever receives a frame puts them in line
 * and then has the database begin, so that they share one sync; the database has them answered.
 * Used by one thread at a time.
 */
final class PromptCommits {
  /** More is copied by other threads than the committer. */
  private static final int SENT_HERE_BYTES = 1 << 16;

  private final Database database;
  private final ServerCounters counters;
  private final Outbox<byte[], Frame> outbox;

  /** Whether the transactions of the database have to be waited for, as the first one showed. */
  private boolean waits;

  /** What has the commits in line begin; null without one. */
  private @Nullable Runnable start;

  PromptCommits(Database database, ServerCounters counters, Outbox<byte[], Frame> outbox) {
    this.database = database;
    this.counters = counters;
    this.outbox = outbox;
  }

  /**
   * Puts a commit in line, with {@code end} to be run after its reply. False if it has to be waited
   * for, and then nothing has happened.
   *
   * @throws DatabaseException if it is refused
   */
  boolean putInLine(long id, SentCommit commit, Runnable end) {
    if (waits || !commit.isPrompt()) {
      return false;
    }
    try {
      Transaction tx = commit.begin(database);
      boolean inLine = false;
      try {
        inLine = putInLine(tx, new Answering(id, tx, end));
        return inLine;
      } finally {
        if (!inLine) {
          tx.close();
        }
      }
    } catch (DatabaseException refused) {
      counters.commitsRefused.increment();
      throw refused;
    }
  }

  private boolean putInLine(Transaction tx, Answering answering) {
    if (tx instanceof BufferedTransaction buffered && buffered.commitsLater()) {
      start = buffered.commitLater(answering);
      return true;
    }
    waits = true;
    return false;
  }

  /** Has the commits in line begin. */
  void start() {
    Runnable begin = start;
    if (begin != null) {
      start = null;
      begin.run();
    }
  }

  /** Answers a commit when it has ended. */
  private final class Answering implements CommitListener {
    private final long id;
    private final Transaction tx;
    private final Runnable end;

    Answering(long id, Transaction tx, Runnable end) {
      this.id = id;
      this.tx = tx;
      this.end = end;
    }

    @Override
    public void committed(Commit.Position position) {
      counters.commits.increment();
      answer(Replies.committed(id, position));
    }

    @Override
    public void failed(Supplier<? extends DatabaseException> why) {
      counters.commitsRefused.increment();
      // Making the exception and its message takes time that other commits would wait for.
      Thread.startVirtualThread(
          () -> {
            Failure failure = Failures.toWire(reason(why));
            answer(Replies.of(Reply.newBuilder().setId(id).setFailure(failure).build()));
            outbox.send();
          });
    }

    @Override
    public void allTold() {
      // Waking another thread for a few replies would take the committer as long.
      if (outbox.bytes() <= SENT_HERE_BYTES) {
        outbox.sendHere();
      } else {
        outbox.send();
      }
    }

    private static RuntimeException reason(Supplier<? extends DatabaseException> why) {
      try {
        return why.get();
      } catch (RuntimeException broken) {
        return broken;
      }
    }

    private void answer(byte[] reply) {
      try {
        tx.close();
        outbox.enqueue(reply);
      } finally {
        end.run();
      }
    }
  }
}
