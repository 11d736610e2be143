package dev.tidemark.embedded.internal;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.internal.Commit;
import dev.tidemark.kv.internal.CommitListener;
import dev.tidemark.kv.internal.IdentifiedCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/*
 * Client threads put prepared commits in line. The committer takes all that are there as a group and
 * has it carried out; while it waits for the disk the next group gathers. So groups are as large as
 * the disk is slow. Where many commit again and again, a group also waits a little for those who were
 * in the last one; see Crowd.
 *
 * A server has many commits at once and no thread for each of them. It puts all that it has in line
 * before it wakes the committer, so that they tend to be one group, and is told of their ends.
 *
 * A platform thread that finds nobody in line and no group under way carries its commit out itself,
 * which saves two thread switches. A virtual thread never does: it would keep its carrier busy for
 * as long as the disk takes.
 *
 * Lock: `turn` is held while a group is carried out, and guards `groups`.
 */

/** The line in which commits wait, and the thread that serves it. */
final class CommitPipeline implements AutoCloseable {
  private static final int GROUP_COMMITS_MAX = 1_024;
  private static final long GROUP_BYTES_MAX = 16 << 20;
  private static final long TIDY_NANOS = 500_000_000;
  private static final long STEP_NANOS = 20_000;

  private final GroupCommit groups;
  private final PublishedVersions versions;
  private final Supplier<DatabaseException> whyClosed;
  private final ConcurrentLinkedQueue<PendingCommit> line = new ConcurrentLinkedQueue<>();
  private final ReentrantLock turn = new ReentrantLock();
  private final Crowd crowd =
      new Crowd(System::nanoTime, () -> LockSupport.parkNanos(this, STEP_NANOS));
  private final Thread committer;
  private volatile boolean idle;
  private volatile boolean closed;

  CommitPipeline(
      GroupCommit groups, PublishedVersions versions, Supplier<DatabaseException> whyClosed) {
    this.groups = groups;
    this.versions = versions;
    this.whyClosed = whyClosed;
    this.committer = Thread.ofPlatform().name("tidemark-committer").daemon().unstarted(this::serve);
  }

  void start() {
    committer.start();
  }

  /** Carries a commit out and returns where it stands; waits {@code nanos} at most to begin. */
  Commit.Position commit(PreparedCommit prepared, long nanos) {
    PendingCommit pending = PendingCommit.awaited(prepared);
    if (!Thread.currentThread().isVirtual() && line.isEmpty() && turn.tryLock()) {
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

  /** Puts a commit in line, of whose end {@code listener} is told; returns what has it begin. */
  Runnable commitLater(PreparedCommit prepared, CommitListener listener) {
    line.add(PendingCommit.told(prepared, listener));
    if (closed) {
      failLine();
    }
    return this::wakeCommitter;
  }

  /** Lets {@code commit} not happen any more, if it has not when this returns. */
  void giveUp(IdentifiedCommit commit) {
    turn.lock();
    try {
      groups.giveUp(commit);
    } finally {
      turn.unlock();
    }
  }

  CommitIds ids() {
    return groups.ids();
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
    if (!line.isEmpty()) {
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
        // Those who waited have been told. The thread must live on, or nobody would be served.
        Thread.UncaughtExceptionHandler handler = committer.getUncaughtExceptionHandler();
        handler.uncaughtException(committer, failure);
      }
    }
    failLine();
  }

  private void serveUntilClosed() {
    long tidied = System.nanoTime();
    while (!closed) {
      if (line.isEmpty()) {
        idle = true;
        if (line.isEmpty() && !closed) {
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
    List<PendingCommit> group = new ArrayList<>();
    turn.lock();
    try {
      takeMore(group);
      if (!group.isEmpty()) {
        crowd.gather(group.size(), () -> takeMore(group));
        long begin = System.nanoTime();
        groups.carryOut(group);
        crowd.ended(group.size(), line.size(), System.nanoTime() - begin);
      }
    } finally {
      turn.unlock();
      group.forEach(PendingCommit::wake);
      group.forEach(PendingCommit::allAwake);
    }
  }

  /** Adds to {@code group} those who are in line; how many it has then. */
  private int takeMore(List<PendingCommit> group) {
    long bytes = group.stream().mapToLong(each -> each.prepared.bytes).sum();
    while (group.size() < GROUP_COMMITS_MAX && bytes < GROUP_BYTES_MAX) {
      PendingCommit next = line.poll();
      if (next == null) {
        break;
      }
      if (next.take()) {
        group.add(next);
        bytes += next.prepared.bytes;
      }
    }
    return group.size();
  }

  private void failLine() {
    for (PendingCommit next = line.poll(); next != null; next = line.poll()) {
      if (next.take()) {
        next.fail(whyClosed);
        next.wake();
        next.allAwake();
      }
    }
  }

  /** Ends the group under way and refuses what is still in line. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(committer);
    boolean interrupted = false;
    while (committer.isAlive()) {
      try {
        committer.join();
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
    turn.lock(); // Waits for a client that is carrying its own commit out.
    try {
      failLine();
    } finally {
      turn.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
