package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.Loop;
import dev.tidemark.coordination.Threads;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a node that looks for work. It is woken by its channels and by every heartbeat, so
 * that a wake-up that is lost costs time and never work.
 */
final class NodeLoop implements AutoCloseable {
  private final PoolCore core;
  private final Steps steps;
  private final Semaphore signal = new Semaphore(0);
  private final AtomicBoolean inbox = new AtomicBoolean(true);
  private final AtomicBoolean pool = new AtomicBoolean(true);
  private final AtomicBoolean beat = new AtomicBoolean();
  private final Thread thread;
  private volatile boolean closed;

  /** When something is due next, in milliseconds. Only for the thread of the loop. */
  private @Nullable Long nextDue;

  /** How long to wait for something to do. Only for the thread of the loop. */
  private Duration wait = Duration.ZERO;

  /** What the loop does. */
  interface Steps {
    /** Joins again if the lease is lost. */
    void checkLease();

    /** Lets others have the jobs: this node cannot do its work. */
    void giveUpLease();

    /** Looks for jobs and mail of this node. */
    void lookIntoInbox();

    /** Looks whether the slots have changed, or the pool is being shut down. */
    void lookAtPool();

    /** Does what every node does for the pool from time to time. */
    void upkeep();

    /** Starts what is due; when the next is, in milliseconds. */
    OptionalLong startDue();
  }

  NodeLoop(PoolCore core, Steps steps) {
    this.core = core;
    this.steps = steps;
    this.thread =
        Thread.ofVirtual()
            .name("pulse-node-" + core.name())
            .unstarted(new Loop(core.backend().time(), () -> closed, this::round, this::failed));
  }

  void start() {
    thread.start();
  }

  void wakeForInbox() {
    inbox.set(true);
    signal.release();
  }

  void wakeForPool() {
    pool.set(true);
    signal.release();
  }

  void wakeForBeat() {
    beat.set(true);
    signal.release();
  }

  private void round() throws InterruptedException {
    boolean woken = signal.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
    signal.drainPermits();
    wait = step(woken);
  }

  /** The next round waits itself, so that it can be woken. */
  private Duration failed(Throwable failure, int inARow) {
    core.report("A node of the pool %s could not do its work".formatted(core.name()), failure);
    if (Loop.isHopeless(failure, inARow)) {
      steps.giveUpLease();
    }
    beat.set(true);
    wait = core.options().workerTtl().dividedBy(10);
    return Duration.ZERO;
  }

  /** Does what there is to do; how long to wait for more. */
  private Duration step(boolean woken) {
    steps.checkLease();
    boolean beaten = beat.getAndSet(false);
    if (inbox.getAndSet(false) || beaten) {
      steps.lookIntoInbox();
    }
    boolean changed = pool.getAndSet(false);
    if (changed || beaten) {
      steps.lookAtPool();
    }
    if (beaten) {
      steps.upkeep();
    }
    Duration longest = core.options().workerTtl();
    if (woken && !changed && !beaten && !isDue()) {
      return nextDue == null ? longest : until(nextDue, longest);
    }
    OptionalLong next = steps.startDue();
    nextDue = next.isPresent() ? (Long) next.getAsLong() : null;
    return nextDue == null ? longest : until(nextDue, longest);
  }

  /** Whether something is due by now: a node whose inbox never rests starts it all the same. */
  private boolean isDue() {
    return nextDue != null && nextDue <= core.now();
  }

  private Duration until(long due, Duration longest) {
    Duration left = Duration.ofMillis(Math.max(1, due - core.now() + 1));
    return left.compareTo(longest) < 0 ? left : longest;
  }

  @Override
  public void close() {
    closed = true;
    Threads.end(thread);
  }
}
