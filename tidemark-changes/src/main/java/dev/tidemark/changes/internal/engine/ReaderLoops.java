package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.internal.delivery.Gate;
import dev.tidemark.changes.internal.partition.TokenName;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of a reader: one that looks after the run, and one for each partition.
 *
 * <p>Each loop has one rule for failures: what may pass is tried again within limits, and anything
 * else, an {@code Error} included, ends the whole reader with a reason. No thread ends alone.
 */
public final class ReaderLoops {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration SWEEP = Duration.ofMinutes(10);
  private static final Duration KEEP = Duration.ofMinutes(1);
  private static final int READS_PER_RELEASE = 64;

  private final Engine engine;
  private final ReaderOptions options;
  private final TimeSource time;
  private final Gate gate;
  private final Crew crew;
  private final Ending ending = new Ending();
  private final Attempts attempts;
  private final Set<PartitionSession> leaving = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition nudged = lock.newCondition();

  // Guarded by lock.
  private long nudges;

  /** Whether the source is being asked to keep changes. */
  private final AtomicBoolean keeping = new AtomicBoolean();

  private volatile boolean paused;
  private volatile boolean stopping;
  private volatile boolean coordinating;

  /** Loops that are started by {@link #start}. */
  ReaderLoops(Engine engine, Gate gate, Crew crew) {
    this.engine = engine;
    this.options = engine.options();
    this.time = options.time();
    this.gate = gate;
    this.crew = crew;
    this.attempts = new Attempts(options.retry(), engine.chance());
  }

  /** Starts to read. */
  public void start() {
    coordinating = true;
    crew.start("changes-" + options.run(), this::coordinate);
  }

  private void coordinate() {
    try {
      long flushed = time.nanos();
      long swept = flushed;
      long kept = flushed;
      while (!stopping && ending.get().isEmpty()) {
        boolean flush = time.nanos() - flushed >= options.flushInterval().toNanos();
        flushed = flush ? time.nanos() : flushed;
        Duration pause = round(flush);
        if (time.nanos() - swept >= SWEEP.toNanos()) {
          swept = time.nanos();
          engine.sweep();
        }
        if (time.nanos() - kept >= KEEP.toNanos() && keeping.compareAndSet(false, true)) {
          kept = time.nanos();
          crew.start("changes-keep", this::keep);
        }
        awaitNudge(pause);
      }
    } catch (Throwable failure) {
      fail(failure);
    } finally {
      coordinating = false;
    }
  }

  /**
   * The source may refuse longer retention: a failure is logged, and the next round asks again. A
   * source of many stores may take long, which must not cost the lease.
   */
  private void keep() {
    try {
      engine.keep(KEEP.multipliedBy(10));
    } catch (InterruptedOperationException closing) {
      // Only a close interrupts this thread, which ends here.
    } catch (RuntimeException failure) {
      Log.retried(options.run(), "the source was not asked to keep changes", failure);
    } catch (Throwable failure) {
      fail(failure);
    } finally {
      keeping.set(false);
    }
  }

  /** One look at the run; how long to wait before the next one. */
  private Duration round(boolean flush) {
    try {
      if (flush) {
        engine.flush();
      }
      engine.tick().forEach(this::launch);
      engine.surplus().forEach(leaving::add);
      attempts.succeeded();
    } catch (DatabaseException failure) {
      Optional<Duration> pause = attempts.failed(failure);
      if (pause.isEmpty()) {
        throw failure;
      }
      Log.retried(options.run(), "the metadata store did not answer", failure);
      return pause.get();
    }
    if (engine.isComplete()) {
      complete();
    }
    return options.detectionInterval();
  }

  private void complete() {
    gate.shut();
    if (ending.set(new EndReason.Completed())) {
      leave();
      if (options.deleteWhenComplete()) {
        engine.run().deleteIfLast();
      }
    }
  }

  private void launch(PartitionSession session) {
    crew.start("changes-partition-" + TokenName.of(session.claimed().token()), () -> read(session));
  }

  private void read(PartitionSession session) {
    try {
      Step step = new Step.Idle();
      int reads = 0;
      while (isReading(session) && !isLast(step)) {
        step = paused ? pause(session) : session.step(LOOK_AGAIN);
        reads += step instanceof Step.Read(int items) ? items : READS_PER_RELEASE;
        if (reads >= READS_PER_RELEASE) {
          release();
          reads = 0;
        }
        after(session, step);
      }
      if (leaving.remove(session)) {
        drain(session);
      }
    } catch (InterruptedException | InterruptedOperationException closed) {
      session.closeCursor();
    } catch (Throwable failure) {
      session.closeCursor();
      fail(failure);
    } finally {
      nudge();
    }
  }

  private boolean isReading(PartitionSession session) {
    return !stopping && ending.get().isEmpty() && !leaving.contains(session);
  }

  private static boolean isLast(Step step) {
    return step instanceof Step.ReadOut || step instanceof Step.Closed;
  }

  private Step pause(PartitionSession session) throws InterruptedException {
    session.holdBack();
    awaitNudge(LOOK_AGAIN);
    return new Step.Idle();
  }

  /** Where the order spans partitions, what was read may be what others wait for. */
  private void release() {
    if (options.order().isGlobal()) {
      engine.updateWatermarks();
    }
  }

  private void after(PartitionSession session, Step step) throws InterruptedException {
    switch (step) {
      case Step.Full() -> session.deque().await(LOOK_AGAIN);
      case Step.Wait(Duration pause) -> time.sleep(pause);
      case Step.Read read -> {}
      case Step.Idle() -> {}
      case Step.ReadOut() -> {}
      case Step.Closed() -> {}
    }
  }

  /**
   * Waits for what the program has got, as long as that may take, then gives the partition to
   * another process. Meanwhile nobody reads it, and a program may acknowledge only with what comes
   * next.
   */
  private void drain(PartitionSession session) throws InterruptedException {
    session.closeCursor();
    engine.outlet().forget(session.claimed().token());
    long since = time.nanos();
    while (session.deque().delivered() > 0
        && time.nanos() - since < options.ackTimeout().toNanos()
        && !session.isClosed()
        && !stopping) {
      session.deque().await(LOOK_AGAIN);
    }
    if (!session.isClosed() && !stopping) {
      engine.giveBack(session);
    }
  }

  /** Stops handing out, or goes on. */
  public void pause(boolean on) {
    paused = on;
    if (on) {
      gate.pause();
    } else {
      gate.resume();
      engine.outlet().wake();
    }
    nudge();
  }

  /**
   * Hands out nothing more, waits up to {@code patience} for what the program has got, stores
   * positions and gives the partitions back.
   */
  public EndReason stop(Duration patience) throws InterruptedException {
    gate.shut();
    stopping = true;
    nudge();
    long deadline = time.nanos() + TimeUnit.NANOSECONDS.convert(patience);
    while ((coordinating || engine.delivered() > 0)
        && ending.get().isEmpty()
        && time.nanos() - deadline < 0) {
      awaitNudge(Duration.ofMillis(5));
    }
    boolean drained = engine.delivered() == 0;
    if (ending.get().isEmpty()) {
      storeLastPositions(deadline);
      if (ending.set(new EndReason.Stopped(drained))) {
        leave();
      }
    }
    return ending.get().orElseThrow();
  }

  /** Positions that cannot be stored make the stop a failure: the program has to know. */
  private void storeLastPositions(long deadline) throws InterruptedException {
    Attempts tries = new Attempts(options.retry(), engine.chance());
    while (ending.get().isEmpty()) {
      try {
        engine.flush();
        return;
      } catch (InterruptedOperationException interrupted) {
        throw interrupted;
      } catch (RuntimeException failure) {
        Optional<Duration> pause = tries.failed(failure);
        if (pause.isEmpty() || time.nanos() - deadline >= 0) {
          fail(failure);
          return;
        }
        time.sleep(pause.get());
      }
    }
  }

  /** Ends everything at once, for {@code reason} unless there is one. */
  public void end(EndReason reason) {
    gate.shut();
    stopping = true;
    boolean first = ending.set(reason);
    engine.sessions().forEach(PartitionSession::closeCursor);
    crew.dismiss();
    if (first) {
      Threads.undisturbed(this::leave);
    }
    engine.sessions().forEach(PartitionSession::close);
  }

  /** Ends the reader because of {@code cause}. */
  public void fail(Throwable cause) {
    gate.shut();
    if (ending.set(new EndReason.Failed(cause))) {
      Log.failed(options.run(), cause);
      nudge();
      crew.start("changes-end", this::leaveAfterFailure);
    }
  }

  private void leaveAfterFailure() {
    try {
      engine.flush();
    } catch (RuntimeException failure) {
      Log.retried(options.run(), "the last positions were not stored", failure);
    }
    leave();
  }

  /** Gives up the lease, so that others need not wait for its end. */
  private void leave() {
    try {
      engine.sessions().forEach(PartitionSession::closeCursor);
      engine.run().leave(options.lease().multipliedBy(10));
    } catch (RuntimeException failure) {
      Log.retried(options.run(), "the lease ends by itself", failure);
    }
  }

  /** How the reader ended, if it has. */
  public Optional<EndReason> ended() {
    return ending.get();
  }

  /** Waits for the end. */
  public Optional<EndReason> await(Duration patience) throws InterruptedException {
    return ending.await(patience);
  }

  private void awaitNudge(Duration pause) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long before = nudges;
      long left = pause.toNanos();
      while (nudges == before && left > 0) {
        left = nudged.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void nudge() {
    lock.lock();
    try {
      nudges++;
      nudged.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
