package dev.tidemark.embedded.internal.commit;

import dev.tidemark.embedded.internal.common.Threads;
import dev.tidemark.embedded.internal.storage.PublishedVersions;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.TransactionTimedOutException;
import dev.tidemark.kv.spi.IdentifiedCommit;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/*
 * Client threads enqueue prepared commits. The committer takes the whole queue as a group and
 * carries it out; while it waits for the disk, the next group gathers. So the slower the disk, the
 * larger the groups. Where many clients commit again and again, a group also waits a little for
 * the writers of the last one, or leaves some commits to the next; see GroupSizing.
 *
 * A server has many commits at once and no thread for each of them. It enqueues them all before it
 * wakes the committer, so that they tend to be one group, and gets the outcomes by a listener.
 *
 * A platform thread that finds the queue empty and no group at work carries its commit out itself,
 * which saves two thread switches. A virtual thread never does: it would keep its carrier busy for
 * as long as the disk takes.
 *
 * A thread that gives up the id of a commit does not wait for the turn, but leaves the work to the
 * committer before its next group. Most such threads are virtual: one that waited for the lock,
 * and then got no carrier, would stop the committer behind it.
 *
 * Lock: `turn` is held while a group is carried out, and guards `groups`.
 */

/** The queue of commits, and the committer, the thread that serves it. */
public final class CommitPipeline implements AutoCloseable {
  private static final int GROUP_COMMITS_MAX = 1_024;
  private static final long GROUP_BYTES_MAX = 16 << 20;
  private static final long TIDY_NANOS = 500_000_000;
  private static final long STEP_NANOS = 20_000;

  private final GroupCommit groups;
  private final PublishedVersions versions;
  private final Supplier<DatabaseException> whyClosed;
  private final ConcurrentLinkedQueue<PendingCommit> line = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<GivingUp> givingUp = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock();
  private final GroupSizing sizing =
      new GroupSizing(System::nanoTime, () -> LockSupport.parkNanos(this, STEP_NANOS));
  private final Thread committer;
  private volatile boolean idle;
  private volatile boolean closed;

  /** Commits that are carried out together. */
  private static final class Group {
    private final List<PendingCommit> commits = new ArrayList<>();
    private final int toldMost;
    private int told;
    private long bytes;

    /** A group with at most {@code toldMost} commits of clients. */
    Group(int toldMost) {
      this.toldMost = toldMost;
    }

    void add(PendingCommit commit) {
      commits.add(commit);
      bytes += commit.prepared.bytes;
      told += commit.isTold() ? 1 : 0;
    }

    boolean isFull() {
      return commits.size() >= GROUP_COMMITS_MAX || bytes >= GROUP_BYTES_MAX || told >= toldMost;
    }
  }

  private record GivingUp(IdentifiedCommit commit, CompletableFuture<Boolean> done) {}

  public CommitPipeline(
      GroupCommit groups, PublishedVersions versions, Supplier<DatabaseException> whyClosed) {
    this.groups = groups;
    this.versions = versions;
    this.whyClosed = whyClosed;
    this.committer = Thread.ofPlatform().name("tidemark-committer").daemon().unstarted(this::serve);
  }

  public void start() {
    committer.start();
  }

  /** Carries a commit out and returns its position; waits at most {@code nanos} for its begin. */
  public Commit.Position commit(PreparedCommit prepared, long nanos) {
    PendingCommit pending = PendingCommit.awaited(prepared);
    if (!Thread.currentThread().isVirtual() && nobodyWaits() && turn.tryLock()) {
      commitHere(pending);
      return pending.result();
    }
    line.add(pending);
    if (closed) {
      failLine();
    }
    wakeCommitter();
    return pending.await(nanos);
  }

  /**
   * Enqueues a commit and returns the action that wakes the committer. {@code listener} is called
   * with the outcome.
   */
  public Runnable commitLater(PreparedCommit prepared, CommitListener listener) {
    line.add(PendingCommit.told(prepared, listener));
    if (closed) {
      failLine();
    }
    return this::wakeCommitter;
  }

  /**
   * Gives {@code commit} up: if it has not happened when this returns, it no longer can. Waits at
   * most {@code nanos}.
   */
  public void giveUp(IdentifiedCommit commit, long nanos) {
    GivingUp asked = new GivingUp(commit, new CompletableFuture<>());
    givingUp.add(asked);
    if (closed) {
      failLine();
    }
    wakeCommitter();
    await(asked.done(), nanos);
  }

  private static void await(CompletableFuture<Boolean> done, long nanos) {
    try {
      done.get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException(
          "Interrupted before it was known what became of a commit", interrupt);
    } catch (TimeoutException late) {
      throw new TransactionTimedOutException(
          "The timeout was over before it was known what became of a commit", false);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof DatabaseException known) {
        throw known;
      }
      throw new StorageException(
          StorageException.Kind.IO_ERROR, "A commit could not be given up", failure);
    }
  }

  private boolean nobodyWaits() {
    return line.isEmpty() && givingUp.isEmpty();
  }

  public CommitIds ids() {
    return groups.ids();
  }

  /** Makes later commits get versions greater than {@code reached}. */
  public void advance(long reached) {
    groups.advance(reached);
  }

  private void commitHere(PendingCommit pending) {
    try {
      if (closed) {
        throw whyClosed.get();
      }
      groups.carryOut(List.of(pending));
    } finally {
      turn.unlock();
    }
    if (!nobodyWaits()) {
      wakeCommitter();
    }
  }

  private void wakeCommitter() {
    if (idle) {
      idle = false;
      LockSupport.unpark(committer);
    }
  }

  private void serve() {
    while (!closed) {
      try {
        serveUntilClosed();
      } catch (RuntimeException | Error failure) {
        // The waiting commits got the failure. The thread must live on, or no later commit would be
        // served.
        Thread.UncaughtExceptionHandler handler = committer.getUncaughtExceptionHandler();
        handler.uncaughtException(committer, failure);
      }
    }
    failLine();
  }

  private void serveUntilClosed() {
    long tidied = System.nanoTime();
    while (!closed) {
      if (nobodyWaits()) {
        idle = true;
        if (nobodyWaits() && !closed) {
          LockSupport.parkNanos(this, TIDY_NANOS);
        }
        idle = false;
      } else {
        serveGroup();
      }
      long now = System.nanoTime();
      if (now - tidied >= TIDY_NANOS) {
        versions.tidy();
        tidied = now;
      }
    }
  }

  private void serveGroup() {
    Group group = new Group(sizing.most());
    turn.lock();
    try {
      giveUpAll();
      takeMore(group);
      if (!group.commits.isEmpty()) {
        sizing.gather(group.commits.size(), () -> takeMore(group), group::isFull);
        sizing.begins(group.commits.size());
        long begin = System.nanoTime();
        groups.carryOut(group.commits);
        sizing.ended(group.commits.size(), line.size(), System.nanoTime() - begin);
      }
    } finally {
      turn.unlock();
      group.commits.forEach(PendingCommit::wake);
      group.commits.forEach(PendingCommit::allAwake);
    }
  }

  /** Commits before this turn are written and published, and later ones are refused. */
  private void giveUpAll() {
    for (GivingUp next = givingUp.poll(); next != null; next = givingUp.poll()) {
      try {
        groups.giveUp(next.commit());
        next.done().complete(true);
      } catch (RuntimeException | Error failure) {
        next.done().completeExceptionally(failure);
      }
    }
  }

  /** Adds the queued commits to {@code group}; returns its size. */
  private int takeMore(Group group) {
    while (!group.isFull()) {
      PendingCommit next = line.poll();
      if (next == null) {
        break;
      }
      if (next.take()) {
        group.add(next);
      }
    }
    return group.commits.size();
  }

  private void failLine() {
    for (PendingCommit next = line.poll(); next != null; next = line.poll()) {
      if (next.take()) {
        next.fail(whyClosed);
        next.wake();
        next.allAwake();
      }
    }
    for (GivingUp next = givingUp.poll(); next != null; next = givingUp.poll()) {
      next.done().completeExceptionally(whyClosed.get());
    }
  }

  /** Ends the current group and refuses the queued commits. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(committer);
    Threads.awaitEnd(committer);
    turn.lock(); // Waits for a client that is carrying its own commit out.
    try {
      failLine();
    } finally {
      turn.unlock();
    }
  }
}
