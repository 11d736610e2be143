package dev.tidemark.partitions.internal.engine;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.log.StoreFailures;
import dev.tidemark.partitions.internal.log.Tenure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One partition of this server, with the turn that only one thread has at a time. The thread that
 * has it may use the actor: the cell's own virtual thread, which works off the mailbox; a caller
 * that finds the mailbox empty, which saves two thread switches; and control (checkpoints, quiesce,
 * staging), which takes precedence over both.
 */
final class PartitionCell {
  /** How long requests give way to control before they look again; its end wakes them. */
  private static final long CONTROL_NANOS = 1_000_000;

  /** How long those wait for the turn who see to all partitions, one after the other. */
  private static final Duration BACKGROUND_TURN = Duration.ofSeconds(1);

  private static final int CALLS_A_TURN = 256;
  private static final int SPINS = 200;

  /** The age at which carried-out requests are answered without waiting for the end of the turn. */
  private static final long SHARE_NANOS = 500_000;

  /** What control does while it has the turn. */
  @FunctionalInterface
  interface Control<T> {
    T run(ActiveActor active) throws Exception;
  }

  private final String partition;
  private final EngineServices services;
  private final Mailbox mailbox;
  private final ReentrantLock turn = new ReentrantLock();
  private final AtomicInteger controls = new AtomicInteger();
  private final Thread thread;
  final LoadMeter meter;

  /** The actor in memory, if it is. Written by whoever has the turn. */
  private volatile @Nullable ActiveActor active;

  /** Until when requests are held back; 0 if they are not. Written by whoever has the turn. */
  private volatile long heldUntil;

  /** Whether somebody writes a checkpoint. */
  final AtomicBoolean checkpointing = new AtomicBoolean();

  private volatile boolean closed;

  /** Why the cell was closed, set before it is; null if it was idle. */
  private volatile @Nullable PartitionException closedBecause;

  private volatile boolean idle;
  private volatile long lastCallNanos;

  PartitionCell(String partition, EngineServices services) {
    this.partition = partition;
    this.services = services;
    this.mailbox = new Mailbox(services.options().mailbox());
    this.lastCallNanos = services.time().nanos();
    this.meter = new LoadMeter(lastCallNanos);
    this.thread = Thread.ofVirtual().name("tidemark-partition-" + partition).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  String partition() {
    return partition;
  }

  boolean isClosed() {
    return closed;
  }

  @Nullable ActiveActor active() {
    return active;
  }

  int queued() {
    return mailbox.size();
  }

  long lastCallNanos() {
    return lastCallNanos;
  }

  /** Carries {@code call} out now or later. False if the cell is closed: another one must do it. */
  boolean submit(PartitionCall<?> call) {
    lastCallNanos = call.startNanos;
    return runAtOnce(call) || putInLine(call);
  }

  /**
   * Has {@code call} carried out by the cell's own thread. False if the cell is closed: another one
   * must do it.
   */
  boolean putInLine(PartitionCall<?> call) {
    lastCallNanos = call.startNanos;
    if (closed) {
      return false;
    }
    if (!mailbox.offer(call)) {
      if (mailbox.isShut()) {
        return false;
      }
      Mailbox.fail(
          call,
          new PartitionException(
                  Reason.BUSY,
                  "%s has %,d requests in line and takes no more; try again later"
                      .formatted(partition, services.options().mailbox()))
              .retryAfter(Duration.ofMillis(5)));
      return true;
    }
    if (idle) {
      LockSupport.unpark(thread);
    }
    if (closed) {
      mailbox.failAll(closedMeanwhile());
    }
    return true;
  }

  private PartitionException closedMeanwhile() {
    PartitionException why = closedBecause;
    return why != null
        ? why
        : new PartitionException(
            Reason.BUSY, "%s was dropped from memory just now; try again".formatted(partition));
  }

  private boolean runAtOnce(PartitionCall<?> call) {
    for (int i = 0; i < SPINS && canRunAtOnce(); i++) {
      if (turn.tryLock()) {
        try {
          ActiveActor actor = active;
          if (actor == null || !canRunAtOnce()) {
            return false;
          }
          try {
            runOne(actor, call);
          } finally {
            actor.endTurn();
          }
          return true;
        } finally {
          turn.unlock();
        }
      }
      Thread.onSpinWait();
    }
    return false;
  }

  private boolean canRunAtOnce() {
    ActiveActor actor = active;
    return actor != null
        && !actor.isBroken()
        && !actor.isFull()
        && heldUntil == 0
        && controls.get() == 0
        && mailbox.isEmpty();
  }

  private void runOne(ActiveActor actor, PartitionCall<?> call) {
    if (!actor.run(call)) {
      active = null;
      actor.retire();
    } else if (actor.isLogLong()) {
      services.logIsLong(this);
    }
  }

  private void run() {
    while (!closed) {
      try {
        if (awaitCalls()) {
          workOff();
        }
      } catch (Throwable bug) {
        Failures.report("A turn of " + partition + " failed", bug);
        mailbox.failAll(
            new PartitionException(
                Reason.FAILED,
                "The server failed in a turn of %s: %s".formatted(partition, bug),
                bug));
      }
    }
    mailbox.failAll(closedMeanwhile());
    retireLast();
  }

  /** Whoever closed the cell may not have had the turn. */
  private void retireLast() {
    turn.lock();
    try {
      ActiveActor last = active;
      active = null;
      if (last != null) {
        last.retire();
      }
    } finally {
      turn.unlock();
    }
  }

  /** Waits for a request, or for the end of a hold. */
  private boolean awaitCalls() {
    idle = true;
    try {
      long until = heldUntil;
      if (until != 0) {
        long left = until - services.time().nanos();
        if (left > 0) {
          LockSupport.parkNanos(this, left);
          return false;
        }
        endHold();
        return false;
      }
      if (mailbox.isEmpty() && !closed) {
        LockSupport.park(this);
        return false;
      }
      ActiveActor actor = active;
      if (actor != null && actor.isFull()) {
        LockSupport.park(this); // woken when the store has taken some, or has failed
        return false;
      }
      if (controls.get() > 0) {
        // A spin would keep the processor from the very thread that is to take the turn.
        LockSupport.parkNanos(this, CONTROL_NANOS);
        return false;
      }
      return true;
    } finally {
      idle = false;
    }
  }

  private void workOff() {
    turn.lock();
    try {
      ActiveActor actor;
      try {
        actor = load();
      } catch (PartitionException failure) {
        mailbox.failAll(failure);
        if (failure.reason() == Reason.MOVED) {
          close();
        }
        return;
      }
      try {
        workOff(actor);
      } finally {
        actor.endTurn();
      }
    } finally {
      turn.unlock();
    }
    // Control that waits gets the turn now: this thread parks until that has ended.
  }

  private void workOff(ActiveActor actor) {
    long sinceNanos = services.time().nanos();
    for (int i = 0; i < CALLS_A_TURN && controls.get() == 0 && heldUntil == 0; i++) {
      PartitionCall<?> call = actor.isBroken() || actor.isFull() ? null : mailbox.poll();
      if (call == null) {
        return;
      }
      runOne(actor, call);
      if (active == null) {
        return;
      }
      long now = services.time().nanos();
      if (now - sinceNanos >= SHARE_NANOS) {
        sinceNanos = now;
        actor.endTurn();
      }
    }
  }

  /** The actor in memory, or one loaded now. The caller has the turn. */
  private ActiveActor load() {
    ActiveActor actor = active;
    if (actor != null && !actor.isBroken()) {
      return actor;
    }
    if (actor != null) {
      active = null;
      actor.retire();
    }
    if (closed) {
      throw closedMeanwhile();
    }
    ActiveActor loaded = services.load(this, this::wake);
    active = loaded;
    services.awake(this);
    return loaded;
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  /**
   * Takes the turn, if it becomes free within {@code patience}. An actor that does not come back
   * from a request must not hold up those who look after all others.
   */
  private boolean takeTurn(Duration patience) {
    try {
      return turn.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void takeTurnForControl() {
    if (!takeTurn(services.options().turn())) {
      controls.decrementAndGet();
      throw new PartitionException(
          Reason.BUSY,
          "%s has been at one step for %s and lets nothing else in"
              .formatted(partition, services.options().turn()));
    }
  }

  /** Runs {@code control} with the turn, and with the actor in memory. */
  <T> T control(Control<T> control) {
    controls.incrementAndGet();
    takeTurnForControl();
    try {
      return control.run(load());
    } catch (PartitionException failure) {
      if (failure.reason() == Reason.MOVED) {
        dropAndClose(failure);
      }
      throw failure;
    } catch (Exception failure) {
      throw StoreFailures.of("A step of %s failed".formatted(partition), failure);
    } finally {
      turn.unlock();
      controls.decrementAndGet();
      wake();
    }
  }

  /**
   * Runs {@code control} with the turn if the actor is in memory and the turn is soon free;
   * otherwise nothing happens.
   */
  boolean controlIfActive(Control<?> control) {
    ActiveActor actor = active;
    if (actor == null || actor.isBroken()) {
      return false;
    }
    controls.incrementAndGet();
    try {
      if (!takeTurn(BACKGROUND_TURN)) {
        return false; // the next occasion tries again
      }
      try {
        return control(control::run) != null;
      } finally {
        turn.unlock();
      }
    } finally {
      controls.decrementAndGet();
    }
  }

  /** Holds requests back until {@code nanos}. The caller has the turn. */
  void hold(long nanos) {
    heldUntil = nanos == 0 ? 1 : nanos;
  }

  boolean isHeld() {
    return heldUntil != 0;
  }

  /** Goes on with the requests held back, if the partition has not moved. */
  void endHold() {
    if (heldUntil == 0) {
      return;
    }
    controls.incrementAndGet();
    turn.lock();
    try {
      ActiveActor actor = active;
      if (heldUntil != 0 && actor != null) {
        actor.journal().serve();
      }
      heldUntil = 0;
    } catch (PartitionException failure) {
      dropAndClose(failure);
    } catch (RuntimeException failure) {
      Failures.report("The hold of " + partition + " could not be ended", failure);
      heldUntil = services.time().nanos() + Duration.ofMillis(100).toNanos();
    } finally {
      turn.unlock();
      controls.decrementAndGet();
      wake();
    }
  }

  /**
   * Reads the ownership again. If the partition is this server's, loads the actor and drops that of
   * another epoch; otherwise closes the cell.
   */
  void refresh() {
    controls.incrementAndGet();
    takeTurnForControl();
    try {
      Tenure now = services.tenure(partition);
      ActiveActor actor = active;
      if (actor != null && actor.tenure().epoch() != now.epoch()) {
        active = null;
        actor.retire();
        heldUntil = 0;
      }
      if (heldUntil == 0) {
        load();
      }
    } catch (PartitionException failure) {
      if (failure.reason() == Reason.MOVED) {
        dropAndClose(failure);
      }
      throw failure;
    } finally {
      turn.unlock();
      controls.decrementAndGet();
      wake();
    }
  }

  /** Runs {@code last} with the actor and then drops it, unless requests wait or come meanwhile. */
  void closeIfIdle(long quietSinceNanos, Control<?> last) {
    if (!turn.tryLock()) {
      return; // somebody is at it, so it is not idle
    }
    controls.incrementAndGet();
    try {
      ActiveActor actor = active;
      if (closed || heldUntil != 0 || !mailbox.isEmpty() || lastCallNanos - quietSinceNanos > 0) {
        return;
      }
      if (actor != null) {
        finish(actor, last);
      }
      if (!mailbox.shutIfEmpty()) {
        return; // They came during the checkpoint; they are not refused, but load the actor again.
      }
      close();
    } finally {
      turn.unlock();
      controls.decrementAndGet();
    }
  }

  /** Closes the cell for good; before that, runs {@code last} with the actor if it is in memory. */
  void close(Control<?> last, PartitionException why) {
    controls.incrementAndGet();
    if (!takeTurn(services.options().turn())) {
      controls.decrementAndGet();
      Failures.report(
          partition + " is closed while a request is being carried out; its log has everything",
          why);
      closedBecause = why;
      close();
      mailbox.failAll(why);
      return;
    }
    try {
      ActiveActor actor = active;
      if (actor != null && !actor.isBroken()) {
        finish(actor, last);
      }
      dropAndClose(why);
    } finally {
      turn.unlock();
      controls.decrementAndGet();
    }
  }

  private void finish(ActiveActor actor, Control<?> last) {
    try {
      last.run(actor);
    } catch (Exception failure) {
      Failures.report(
          "The last checkpoint of " + partition + " failed; its log has everything", failure);
    }
    active = null;
    actor.retire();
  }

  private void dropAndClose(PartitionException why) {
    ActiveActor actor = active;
    active = null;
    if (actor != null) {
      actor.retire();
    }
    closedBecause = why;
    close();
    mailbox.failAll(why);
  }

  /** The caller has the turn. Later requests find another cell, or make one. */
  private void close() {
    closed = true;
    services.forget(this);
    wake();
  }
}
