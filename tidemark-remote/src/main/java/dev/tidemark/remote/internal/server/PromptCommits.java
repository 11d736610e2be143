package dev.tidemark.remote.internal.server;

import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Reply;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one session that no thread waits for. The thread that receives a frame enqueues
 * them all and then wakes the committer, so that they share one sync. Used by one thread at a time.
 *
 * <p>The database reports their outcomes on a thread that other commits wait for. So it leaves the
 * replies to the thread of the network, which has to write them anyway.
 */
final class PromptCommits {
  private final Database database;
  private final ServerCounters counters;
  private final Outbox<byte[], Frame> outbox;
  private final Executor network;

  /** The commits that ended and are not answered yet. */
  private final ConcurrentLinkedQueue<Answering> ended = new ConcurrentLinkedQueue<>();

  /** Whether {@link #answerAll} is scheduled. */
  private final AtomicBoolean answering = new AtomicBoolean();

  /** Whether commits of this database need a thread that waits, as the first one showed. */
  private boolean waits;

  /** The action that wakes the committer for the enqueued commits; null without any. */
  private @Nullable Runnable start;

  PromptCommits(
      Database database, ServerCounters counters, Outbox<byte[], Frame> outbox, Executor network) {
    this.database = database;
    this.counters = counters;
    this.outbox = outbox;
    this.network = network;
  }

  /**
   * Enqueues a commit; {@code end} runs after its reply. False if the commit needs a thread that
   * waits; then nothing has happened.
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
    if (tx instanceof PromptTransaction prompt) {
      start = prompt.commitLater(answering);
      return true;
    }
    waits = true;
    return false;
  }

  /** Wakes the committer for the enqueued commits. */
  void start() {
    Runnable begin = start;
    if (begin != null) {
      start = null;
      begin.run();
    }
  }

  /** Answers the commits that have ended. A failure to answer one leaves no other waiting. */
  private void answerAll() {
    answering.set(false);
    IllegalStateException failure = null;
    for (Answering next = ended.poll(); next != null; next = ended.poll()) {
      try {
        next.answer();
      } catch (RuntimeException | Error broken) {
        failure =
            failure == null ? new IllegalStateException("Answers to commits failed") : failure;
        failure.addSuppressed(broken);
      }
    }
    outbox.sendHere();
    if (failure != null) {
      throw failure;
    }
  }

  /** Answers a commit when it has ended. */
  private final class Answering implements CommitListener {
    private final long id;
    private final Transaction tx;
    private final Runnable end;

    /** How it ended; written before it is among those that have. */
    private Commit.@Nullable Position position;

    private @Nullable Supplier<? extends DatabaseException> failure;

    Answering(long id, Transaction tx, Runnable end) {
      this.id = id;
      this.tx = tx;
      this.end = end;
    }

    @Override
    public void committed(Commit.Position where) {
      position = where;
      ended.add(this);
    }

    @Override
    public void failed(Supplier<? extends DatabaseException> why) {
      failure = why;
      ended.add(this);
    }

    @Override
    public void allTold() {
      if (!ended.isEmpty() && answering.compareAndSet(false, true)) {
        try {
          network.execute(PromptCommits.this::answerAll);
        } catch (RejectedExecutionException serverClosed) {
          answerAll(); // The client is gone, but what was held for the commits is released.
        }
      }
    }

    void answer() {
      try {
        tx.close();
        outbox.enqueue(reply());
      } finally {
        end.run();
      }
    }

    private byte[] reply() {
      if (position != null) {
        counters.commits.increment();
        return ReplyFields.committed(id, position);
      }
      counters.commitsRefused.increment();
      Failure wire = Failures.toWire(reason());
      return ReplyFields.of(Reply.newBuilder().setId(id).setFailure(wire).build());
    }

    private RuntimeException reason() {
      try {
        return Objects.requireNonNull(failure, "a commit has a position or a failure").get();
      } catch (RuntimeException broken) {
        return broken;
      }
    }
  }
}
