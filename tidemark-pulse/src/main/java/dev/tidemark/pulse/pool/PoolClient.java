package dev.tidemark.pulse.pool;

import dev.tidemark.kv.Transaction;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Gives work to a pool and looks at what the pool does with it.
 *
 * <p>A job has a key, and a pool has at most one job with a key. Jobs with the same key go to the
 * same worker, as long as the workers stay the same. A job that the pool has taken is kept until it
 * is done or stopped, whoever crashes.
 *
 * <p>Keys are texts of 1 to 512 characters that do not begin with NUL, payloads at most 90,000
 * bytes. Safe for use by many threads.
 */
public interface PoolClient extends AutoCloseable {
  /** The name of the pool. */
  String name();

  /**
   * Gives the pool the job {@code key} and waits until a worker has started it.
   *
   * @throws JobExistsException if the pool has a job with this key
   * @throws PoolFullException if {@link PoolOptions#queuedMax} jobs wait to be started
   * @throws JobFailedException if the worker could not start it and it is not tried again; the pool
   *     has forgotten it
   * @throws DispatchTimeoutException if it was not started within {@link
   *     PoolOptions#dispatchTimeout}. That is not a failure: the pool has the job and will start it
   * @throws PoolClosedException if this is closed, or the pool is being shut down
   */
  default void dispatch(String key, byte[] payload) {
    dispatch(key, payload, UnaryOperator.identity());
  }

  /**
   * As {@link #dispatch(String, byte[])}, with a time to start, or with other retries than the
   * pool's. Does not wait for the start of a job that has a time.
   */
  void dispatch(String key, byte[] payload, UnaryOperator<DispatchOptions> options);

  /**
   * Gives the pool the job {@code key} when {@code tx} commits; with a rollback there is no job.
   * Does not wait for its start: should that fail and not be tried again, the job becomes a {@link
   * #deadJobs dead} one.
   *
   * @throws JobExistsException if the pool has a job with this key
   * @throws PoolFullException if {@link PoolOptions#queuedMax} jobs wait to be started
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  default void dispatch(Transaction tx, String key, byte[] payload) {
    dispatch(tx, key, payload, UnaryOperator.identity());
  }

  /** As {@link #dispatch(Transaction, String, byte[])}, with options. */
  void dispatch(Transaction tx, String key, byte[] payload, UnaryOperator<DispatchOptions> options);

  /**
   * As {@link #dispatch(String, byte[])}, but a second call with the same {@code id}, key and
   * payload gives the pool nothing and has the outcome of the first: it waits for the start if that
   * is still to come, returns, or throws the same {@link JobFailedException}. For callers that do
   * not know whether an earlier call arrived. The outcome is remembered for {@link
   * PoolOptions#resultsFor} after it is known.
   *
   * @throws JobExistsException if the pool has a job with this key from another call
   * @throws ConflictingDispatchException if {@code id} was used for another key or payload
   */
  void dispatchOnce(String id, String key, byte[] payload);

  /**
   * Hands {@code payload} to the worker that jobs with {@code key} go to, without a job: short work
   * that needs the same place. It is handed over at least once, and messages of one sender in their
   * order; without a worker it waits for one. One worker at a time has the messages of a key. A
   * worker for jobs that end takes none: it drops them and says so to {@link PoolOptions#onError}.
   *
   * @throws PoolFullException if 1,000 messages for this key wait, or messages for so many keys
   *     that with the jobs that wait they are {@link PoolOptions#queuedMax}
   */
  void send(String key, byte[] payload);

  /**
   * Stops the job {@code key} for good and waits until that is done, at most {@link
   * PoolOptions#dispatchTimeout}. Jobs that wait for a worker or for their time, and dead ones, are
   * simply forgotten.
   *
   * @return whether there was such a job
   * @throws JobFailedException if the handler could not stop it; the job goes on
   * @throws DispatchTimeoutException if it has not been stopped yet; it will be
   * @throws PoolFullException if 1,000 such requests wait for this job. Notifications, however many
   *     wait, keep nobody from asking; they are handed over first
   */
  boolean stop(String key);

  /**
   * Hands {@code payload} to the worker that runs the job {@code key}, now or when it has started
   * it. Notifications of one sender for one job arrive in their order. A job that ends by itself
   * ({@link PoolNode#addRunner}) has nobody to take them: its node drops them and says so to {@link
   * PoolOptions#onError}.
   *
   * @return whether there is such a job; otherwise nothing happens
   * @throws PoolFullException if 1,000 notifications wait for this job
   */
  boolean notifyJob(String key, byte[] payload);

  /** The keys of all jobs, in order, dead ones left out. */
  List<String> jobKeys();

  /** The payload of the job {@code key}. An empty payload is a value. */
  Optional<byte[]> jobPayload(String key);

  /** What the pool knows of the job {@code key}. */
  Optional<JobInfo> job(String key);

  /** All workers of all nodes, in the order of their slots. */
  List<WorkerInfo> workers();

  /** Jobs that failed and are not tried again. They keep their keys until replayed or stopped. */
  List<JobInfo> deadJobs();

  /**
   * Gives a dead job back to the pool, as if it had been dispatched just now. Does not wait for its
   * start.
   *
   * @return whether there was such a dead job
   */
  boolean replay(String key);

  /**
   * Has the pool dispatch the job {@code key} at every time that {@code cron} names, on one node
   * whatever their number. A time at which the job of the time before is still there, or the pool
   * is full, is skipped; so are times that passed while no node was there. Another schedule of this
   * name is replaced.
   *
   * <p>Where clocks are set forward, a time that is left out comes at the change; where they are
   * set back, a time that comes twice comes once, unless {@code cron} names every hour.
   *
   * @param name the name of the schedule
   * @param cron minute, hour, day of month, month and day of week, as in crontab, for example
   *     {@code 30 3 * * MON-FRI}; or a shorthand like {@code @hourly} or {@code @daily}
   * @param zone where those are meant
   * @throws IllegalArgumentException if {@code cron} is not understood
   */
  void cron(String name, String cron, ZoneId zone, String key, byte[] payload);

  /** Ends the cron schedule {@code name}; whether there was one. Jobs that it started go on. */
  boolean removeCron(String name);

  /** The names of the cron schedules, in order. */
  List<String> crons();

  /** Whether this is closed. */
  boolean isClosed();

  /** Leaves the pool. Can be called again. */
  @Override
  void close();
}
