package dev.tidemark.pulse.pool;

import java.time.Duration;
import java.util.List;

/**
 * A member of a pool that runs workers.
 *
 * <p>A node is alive as long as it renews its lease, three times in each {@link
 * PoolOptions#workerTtl}. If it cannot, other nodes take its jobs over; should it still be running,
 * its writes about those jobs are refused, its {@link Job#isLost} says so, and it stops them and
 * joins again with new workers. So every job has one owner in the store, while a handler that was
 * paused may for a moment still believe it is the one: what it does outside of the store has to
 * carry {@link Job#epoch} if that matters.
 */
public interface PoolNode extends PoolClient {
  /** The id of this node. Another one after it lost its lease. */
  String id();

  /**
   * Adds a worker for long-running jobs: {@link JobHandler#start} starts one and returns, and it
   * runs until it is stopped.
   *
   * @throws PoolClosedException if this node is closed, or the pool is being shut down
   */
  Worker addWorker(JobHandler handler);

  /** As {@link #addRunner(JobRunner, int)} with one job at a time. */
  default Worker addRunner(JobRunner runner) {
    return addRunner(runner, 1);
  }

  /**
   * Adds a worker for jobs that end: a job is done when {@link JobRunner#run} returns.
   *
   * @param parallel how many jobs it runs at a time
   * @throws PoolClosedException if this node is closed, or the pool is being shut down
   */
  Worker addRunner(JobRunner runner, int parallel);

  /**
   * Adds a worker for jobs whose effects and end are one commit; see {@link TransactionalRunner}.
   *
   * @param parallel how many jobs it runs at a time
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  Worker addTransactionalRunner(TransactionalRunner runner, int parallel);

  /**
   * Stops the jobs of {@code worker}, gives them to the other workers of the pool and forgets it.
   * Jobs that end by themselves have {@link PoolOptions#drainTime} to do so before they are
   * interrupted. Nothing if it was removed before.
   *
   * @throws PoolException if a handler could not stop a job. Those that it could have moved; call
   *     again for the rest
   * @throws IllegalStateException if a job of the worker calls this, which would wait for itself
   */
  void removeWorker(Worker worker);

  /** The workers of this node, in the order in which they were added. */
  List<Worker> localWorkers();

  /** What this node has done so far, from memory. Can be asked after {@link #close}. */
  PoolStatistics statistics();

  /**
   * A ticker that all nodes with one of this name share: each tick goes to one of them.
   *
   * @param interval the time between two ticks; replaces that of the others
   */
  Ticker ticker(String name, Duration interval);

  /**
   * Calls {@code planner} every {@code interval}, on one node of those that have a schedule of this
   * name, and does what it says. The first plan is made at once, by one node only: if that is this
   * one, before this returns. A planner that takes longer than {@code interval} may be called on
   * another node meanwhile.
   */
  Schedule schedule(String name, Duration interval, Planner planner);

  /**
   * Stops every job of the pool on every node, forgets them all, and closes all nodes. Waits for
   * the others, at most {@link PoolOptions#drainTime}; a node that dies meanwhile is not waited for
   * longer than its lease. Should this process die, the last node to stop ends the shutdown.
   * Afterwards the pool can be used anew.
   *
   * <p>A node that has left with a shutdown waits for the end of that one when this is called
   * again. A node that was closed before does nothing.
   *
   * @throws PoolException if a handler could not stop a job, or a node is not done in time. Call
   *     again to stop those jobs, or to wait for those nodes
   * @throws IllegalStateException if a job of this node calls this, which would wait for itself
   */
  void shutDownPool();

  /** Whether this node was closed by a shutdown of the pool. */
  boolean isPoolShutDown();

  /**
   * Stops the jobs of this node one after the other, hands each over once it has stopped, and
   * leaves the pool. Jobs that end by themselves have {@link PoolOptions#drainTime} to do so before
   * they are interrupted. Can be called again.
   *
   * @throws PoolException if a handler could not stop a job; the node keeps that job and stays in
   *     the pool without taking new ones. Call again to try those that are left
   * @throws IllegalStateException if a job of this node calls this, which would wait for itself
   */
  @Override
  void close();
}
