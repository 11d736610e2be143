package dev.tidemark.pulse.internal.pool.node;

import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.pulse.internal.common.OpenHandles;
import dev.tidemark.pulse.internal.pool.client.DispatchClient;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.time.BeatSchedule;
import dev.tidemark.pulse.internal.pool.time.BeatTicker;
import dev.tidemark.pulse.internal.pool.worker.HandlerWorker;
import dev.tidemark.pulse.internal.pool.worker.LocalWorker;
import dev.tidemark.pulse.internal.pool.worker.RunStep;
import dev.tidemark.pulse.internal.pool.worker.RunnerWorker;
import dev.tidemark.pulse.internal.pool.worker.WorkerHandle;
import dev.tidemark.pulse.pool.JobHandler;
import dev.tidemark.pulse.pool.JobRunner;
import dev.tidemark.pulse.pool.Planner;
import dev.tidemark.pulse.pool.PoolClosedException;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolStatistics;
import dev.tidemark.pulse.pool.Schedule;
import dev.tidemark.pulse.pool.Ticker;
import dev.tidemark.pulse.pool.TransactionalRunner;
import dev.tidemark.pulse.pool.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** A node of a pool: its workers, and how it comes and goes. */
public final class WorkerNode extends DispatchClient implements PoolNode {
  private static final int PARALLEL_MAX = 10_000;
  private static final String NO_RUNNER = "The runner is null";

  private final NodeWorkers workers;
  private final Departure departure;

  /** Tickers and schedules of this node. */
  private final OpenHandles shared = new OpenHandles();

  /** Held by the thread that closes the node. */
  private final ReentrantLock finishing = new ReentrantLock();

  private WorkerNode(PoolCore core, OpenHandles handles) {
    super(core, handles);
    this.workers = new NodeWorkers(core, this, this::leaveWithThePool);
    this.departure = new Departure(core, workers);
  }

  /** Joins a pool. */
  public static WorkerNode join(PoolCore core, OpenHandles handles) {
    WorkerNode node = new WorkerNode(core, handles);
    try {
      node.workers.begin();
      return node;
    } catch (RuntimeException refused) {
      node.workers.end();
      node.closeClient();
      throw refused;
    }
  }

  @Override
  public String id() {
    return workers.life().id();
  }

  @Override
  public Worker addWorker(JobHandler handler) {
    Objects.requireNonNull(handler, "The handler is null");
    checkTakesWork();
    return workers.add((life, id) -> new HandlerWorker(life, id, handler));
  }

  @Override
  public Worker addRunner(JobRunner runner, int parallel) {
    Objects.requireNonNull(runner, NO_RUNNER);
    return addRunner(RunStep.of(runner), parallel);
  }

  @Override
  public Worker addTransactionalRunner(TransactionalRunner runner, int parallel) {
    Objects.requireNonNull(runner, NO_RUNNER);
    if (!core.backend().capabilities().transactions()) {
      throw new UnsupportedOperationException(
          "The store %s has no transactions to join; use addRunner"
              .formatted(core.backend().capabilities().name()));
    }
    return addRunner(RunStep.of(runner), parallel);
  }

  private Worker addRunner(RunStep step, int parallel) {
    checkTakesWork();
    if (parallel < 1 || parallel > PARALLEL_MAX) {
      throw new IllegalArgumentException(
          "parallel is %,d; it must be between 1 and %,d".formatted(parallel, PARALLEL_MAX));
    }
    return workers.add((life, id) -> new RunnerWorker(life, id, step, parallel));
  }

  @Override
  public void removeWorker(Worker worker) {
    Objects.requireNonNull(worker, "The worker is null");
    if (worker instanceof WorkerHandle real && workers.roster().has(real)) {
      refuseToWaitForItself("the worker " + real.id(), List.of(real));
      Threads.undisturbed(() -> remove(real));
    }
  }

  private void remove(WorkerHandle real) {
    LocalWorker drained;
    do {
      drained = real.current();
      List<Throwable> failures =
          departure.drain(List.of(real), LocalWorker.Ending.HAND_OVER, core.options().drainTime());
      throwIfAny("The worker " + real.id() + " could not be removed", failures);
    } while (!workers.roster().removeUnlessRenewed(real, drained));
  }

  @Override
  public List<Worker> localWorkers() {
    return List.copyOf(workers.roster().all());
  }

  @Override
  public PoolStatistics statistics() {
    List<LocalWorker> current = workers.roster().all().stream().map(WorkerHandle::current).toList();
    PoolCounts counts = core.counts();
    return new PoolStatistics(
        current.size(),
        current.stream().mapToInt(LocalWorker::runningJobs).sum(),
        current.stream().mapToInt(LocalWorker::queued).sum(),
        counts.of(PoolCounts.What.STARTED),
        counts.of(PoolCounts.What.FINISHED),
        counts.of(PoolCounts.What.FAILED),
        counts.of(PoolCounts.What.STOPPED),
        counts.of(PoolCounts.What.DISPATCHED),
        counts.of(PoolCounts.What.REFUSED),
        counts.of(PoolCounts.What.LEASE_LOST));
  }

  @Override
  public Ticker ticker(String name, Duration interval) {
    check("ticker", name, interval);
    return shared.add(new BeatTicker(core, name, interval, shared));
  }

  @Override
  public Schedule schedule(String name, Duration interval, Planner planner) {
    Objects.requireNonNull(planner, "The planner is null");
    check("schedule", name, interval);
    return shared.add(BeatSchedule.start(core, this, name, interval, planner, shared));
  }

  private void check(String kind, String name, Duration interval) {
    checkTakesWork();
    checkKey("The name of a " + kind, name);
    String what = "The interval of the %s %s".formatted(kind, name);
    Objects.requireNonNull(interval, () -> what + " is null");
    if (!OptionChecks.isMilliseconds(interval)) {
      throw new IllegalArgumentException(
          "%s is %s; it must be a millisecond or more, and shorter than a year"
              .formatted(what, interval));
    }
  }

  @Override
  public void shutDownPool() {
    if (isClosed() && !isPoolShutDown()) {
      finish();
      return;
    }
    refuseToWaitForItself("the pool " + name(), workers.roster().all());
    Duration patience = core.options().drainTime();
    long end = core.nanos() + patience.toNanos();
    if (!isClosed()) {
      departure.beginShutdown();
      List<Throwable> failures = departure.leave(LocalWorker.Ending.FORGET, patience.dividedBy(2));
      throwIfAny("The pool %s is not shut down".formatted(name()), failures);
    }
    List<String> left = departure.awaitEndOfShutdown(end);
    departure.markShutdown();
    finish();
    if (!left.isEmpty()) {
      throw new PoolException(
          ("The pool %s is not shut down: the nodes %s have not stopped their jobs within %s "
                  + "(PoolOptions.drainTime). Call again to wait for them")
              .formatted(name(), left, patience));
    }
  }

  /** Leaves because some node shuts the pool down. Called again until it succeeds. */
  private void leaveWithThePool() {
    Duration patience = core.options().drainTime().dividedBy(2);
    List<Throwable> failures = departure.leave(LocalWorker.Ending.FORGET, patience);
    failures.forEach(failure -> core.report("A shutdown waits for this node", failure));
    if (failures.isEmpty() && !isClosed()) {
      departure.tryToEndShutdown();
      departure.markShutdown();
      finish();
    }
  }

  @Override
  public boolean isPoolShutDown() {
    return departure.isShutdown();
  }

  /** A node that could not stop a job on its way out can still be asked, and told to stop it. */
  @Override
  public void checkTakesWork() {
    super.checkTakesWork();
    if (departure.isLeaving()) {
      throw new PoolClosedException(
          "This node of the pool %s is leaving and takes nothing new".formatted(name()));
    }
  }

  @Override
  public void close() {
    if (isClosed()) {
      finish();
      return;
    }
    refuseToWaitForItself("the node " + id(), workers.roster().all());
    Threads.undisturbed(this::leave);
  }

  /** A handler that ends what calls it would wait for its own return. */
  private static void refuseToWaitForItself(String what, List<WorkerHandle> going) {
    Thread caller = Thread.currentThread();
    if (going.stream().anyMatch(worker -> worker.current().runsOn(caller))) {
      throw new IllegalStateException(
          "A job that runs there cannot end %s: that waits until the job has ended. Let another thread do it"
              .formatted(what));
    }
  }

  private void leave() {
    shared.close();
    List<Throwable> failures =
        departure.leave(LocalWorker.Ending.HAND_OVER, core.options().drainTime());
    throwIfAny(
        "The node %s could not hand over all jobs; close it again".formatted(id()), failures);
    finish();
  }

  /** Others start the jobs when the lease is over, so they are stopped here first. */
  @Override
  public void abandon() {
    workers.beginLeave();
    workers.abandonAll();
    finish();
  }

  /**
   * Ends everything, once. A shutdown reaches a node in two ways, by a call and through the pool;
   * who comes second waits, because after a close the store may be closed.
   */
  private void finish() {
    finishing.lock();
    try {
      if (!isClosed()) {
        shared.close();
        workers.end();
        closeClient();
      }
    } finally {
      finishing.unlock();
    }
    workers.awaitLeaver();
  }

  private static void throwIfAny(String message, List<Throwable> failures) {
    if (!failures.isEmpty()) {
      PoolException failure =
          new PoolException(
              message + ": " + PoolCore.describe(failures.getFirst()), failures.getFirst());
      failures.stream().skip(1).forEach(failure::addSuppressed);
      throw failure;
    }
  }
}
