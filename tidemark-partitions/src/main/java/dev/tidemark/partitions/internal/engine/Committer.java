package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.Effects;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.log.Append;
import dev.tidemark.partitions.internal.log.AppendFailedException;
import dev.tidemark.partitions.internal.log.Journal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Group commit of one actor object. The thread that has the turn adds log entries, and answers that
 * have to wait for them; a thread of the committer appends all that is there as soon as the
 * previous append has ended. There is no delay to configure: a slow store makes larger groups.
 *
 * <p>The first append that fails ends the committer. Everything younger was computed from a state
 * that never became durable, so all of it fails, and the actor is to be loaded again.
 */
final class Committer {
  /** What happens when everything up to here is durable. */
  interface Reply {
    void durable();

    void failed(PartitionException why);

    /** The receiver that is also told when all of a group have ended; null if a thread waits. */
    default @Nullable Ended told() {
      return null;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pending(byte @Nullable [] record, @Nullable Effects effects, Reply reply) {
    int bytes() {
      return record == null ? 0 : record.length;
    }
  }

  /** How many batches may be in line behind the one that is appended, if entries are long. */
  private static final int BATCHES_IN_LINE = 16;

  private final Journal journal;
  private final EngineOptions options;
  private final Runnable onChange;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final ArrayDeque<Pending> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean ending;

  /** Whether so much is in line that nothing more is to be carried out. Written under the lock. */
  private volatile boolean full;

  /** Why nothing more can become durable. Written under the lock. */
  private volatile @Nullable PartitionException failure;

  /** Used by the committer's own thread. */
  private final Group group = new Group();

  private volatile boolean idle;
  private volatile long durableLsn;
  private volatile int largestBatch;

  /**
   * A committer of a log that ends at {@code lsn}.
   *
   * @param onChange called when an append has failed, and when there is room again
   */
  Committer(Journal journal, long lsn, EngineOptions options, Runnable onChange) {
    this.journal = journal;
    this.durableLsn = lsn;
    this.options = options;
    this.onChange = onChange;
    this.thread =
        Thread.ofVirtual()
            .name("tidemark-partition-log-" + journal.tenure().partition())
            .unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** The last log entry that is durable. */
  long durableLsn() {
    return durableLsn;
  }

  /** Whether an append has failed. */
  boolean isBroken() {
    return failure != null;
  }

  /**
   * Whether as much waits for the store as may: then nothing more is carried out, the mailbox fills
   * up, and further requests are refused.
   */
  boolean isFull() {
    return full;
  }

  /** The most entries that were appended together. */
  int largestBatch() {
    return largestBatch;
  }

  /**
   * Appends {@code record} behind everything added before, then replies. {@link #wake} has to
   * follow: what is added before it tends to share a commit.
   */
  void append(byte[] record, @Nullable Effects effects, Reply reply) {
    add(new Pending(record, effects, reply));
  }

  /** Replies when everything added before is durable. {@link #wake} has to follow. */
  void afterAll(Reply reply) {
    add(new Pending(null, null, reply));
  }

  private void add(Pending pending) {
    PartitionException refused;
    lock.lock();
    try {
      refused = failure;
      if (refused == null) {
        queue.add(pending);
        queuedBytes += pending.bytes();
        full = isTooMuch();
      }
    } finally {
      lock.unlock();
    }
    if (refused != null) {
      fail(List.of(pending), younger(refused));
    }
  }

  /** Wakes the thread that appends what was added, as soon as the previous append has ended. */
  void wake() {
    if (idle) {
      LockSupport.unpark(thread);
    }
  }

  /** Lets the thread end when everything added is durable, or has failed, and waits for that. */
  void finish() {
    lock.lock();
    try {
      ending = true;
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isTooMuch() {
    return queue.size() >= options.mailbox()
        || queuedBytes >= (long) BATCHES_IN_LINE * options.batches().bytes();
  }

  private void run() {
    List<Pending> batch = new ArrayList<>();
    try {
      while (take(batch)) {
        commit(batch);
        batch.clear();
      }
    } catch (Throwable bug) {
      Failures.report("The committer of " + journal.tenure().partition() + " ended", bug);
      PartitionException why =
          new PartitionException(
              Reason.IN_DOUBT,
              "The log of %s failed: %s".formatted(journal.tenure().partition(), bug),
              bug);
      breakOff(why, List.of(), () -> fail(batch, why));
    }
  }

  /** Waits for something to do. False when there is nothing left and nothing more to come. */
  private boolean take(List<Pending> batch) {
    while (true) {
      boolean wasFull;
      lock.lock();
      try {
        wasFull = full;
        fill(batch);
        full = isTooMuch();
        if (batch.isEmpty()) {
          if (ending || failure != null) {
            return false;
          }
          idle = true;
        }
      } finally {
        lock.unlock();
      }
      if (!batch.isEmpty()) {
        if (wasFull) {
          onChange.run();
        }
        return true;
      }
      LockSupport.park(this);
      idle = false;
    }
  }

  private void fill(List<Pending> batch) {
    int entries = 0;
    long bytes = 0;
    for (Pending next = queue.peek(); next != null; next = queue.peek()) {
      if (next.record != null) {
        entries++;
        bytes += next.record.length;
        if (entries > 1
            && (entries > options.batches().entries() || bytes > options.batches().bytes())) {
          return;
        }
      }
      batch.add(queue.remove());
      queuedBytes -= next.bytes();
    }
  }

  private void commit(List<Pending> batch) {
    List<Append> appends = new ArrayList<>(batch.size());
    for (Pending pending : batch) {
      if (pending.record != null) {
        appends.add(new Append(pending.record, pending.effects));
      }
    }
    try {
      if (!appends.isEmpty()) {
        journal.append(durableLsn + 1, appends);
        advance(appends.size());
        largestBatch = Math.max(largestBatch, appends.size());
      }
    } catch (AppendFailedException failed) {
      advance(failed.durable());
      replyToFailed(batch, failed);
      return;
    }
    tellDurable(batch);
  }

  private void tellDurable(List<Pending> batch) {
    for (Pending pending : batch) {
      pending.reply.durable();
      group.add(pending.reply.told());
    }
    group.flush();
  }

  /** For any thread. */
  private static void fail(List<Pending> some, PartitionException why) {
    Group failed = new Group();
    for (Pending pending : some) {
      pending.reply.failed(why);
      failed.add(pending.reply.told());
    }
    failed.flush();
  }

  /** Only the committer's own thread writes it. */
  private void advance(int entries) {
    long end = durableLsn + entries;
    durableLsn = end;
  }

  private void replyToFailed(List<Pending> batch, AppendFailedException failed) {
    PartitionException younger = younger(failed.reason());
    List<Pending> durable = new ArrayList<>();
    List<Pending> faulty = new ArrayList<>();
    List<Pending> rest = new ArrayList<>();
    int entries = 0;
    for (Pending pending : batch) {
      if (pending.record != null) {
        entries++;
      }
      if (entries <= failed.durable()) {
        durable.add(pending);
      } else if (failed.isFaultOfOne() && entries > failed.durable() + 1) {
        rest.add(pending);
      } else if (pending.record == null) {
        rest.add(pending);
      } else {
        faulty.add(pending);
      }
    }
    tellDurable(durable);
    breakOff(
        failed.isFaultOfOne() ? younger : failed.reason(),
        rest,
        () -> fail(faulty, failed.reason()));
  }

  /**
   * Fails {@code rest} and everything queued, and admits nothing more. Callers are told only after
   * the actor has been dropped: one that tries again at once must meet the actor that is loaded
   * anew.
   */
  private void breakOff(PartitionException why, List<Pending> rest, Runnable tellFaulty) {
    List<Pending> all = new ArrayList<>(rest);
    lock.lock();
    try {
      failure = why;
      all.addAll(queue);
      queue.clear();
      queuedBytes = 0;
      full = false;
    } finally {
      lock.unlock();
    }
    onChange.run();
    tellFaulty.run();
    fail(all, younger(why));
  }

  /** The failure of requests that came after it: nothing of them was written. */
  private PartitionException younger(PartitionException why) {
    if (why.reason() == Reason.MOVED || why.reason() == Reason.RELOADED) {
      return why;
    }
    return new PartitionException(
        Reason.RELOADED,
        "%s was loaded again after a failure, and nothing of this request was kept: %s"
            .formatted(journal.tenure().partition(), why.getMessage()),
        why);
  }
}
