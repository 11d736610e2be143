package dev.tidemark.pulse;

import dev.tidemark.pulse.internal.common.OptionChecks;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a pool works. Values marked as shared are the same for all nodes that are there at one time:
 * the first node fixes them, and one that joins with others is refused. A client takes over those
 * of the nodes.
 *
 * @param workerTtl how long a silent node is believed to be alive. A short one moves the jobs of a
 *     crashed node sooner; one shorter than a pause of the JVM moves those of a healthy one.
 *     Shared. Default 30 seconds
 * @param ackGrace how long a job that was running waits until it is tried again, after the worker
 *     that took it over could not start it. Shared. Default 20 seconds
 * @param queuedMax how many jobs the pool takes that have never been started, those that wait for
 *     their time included. Exact but for dispatches within transactions: of those that commit at
 *     the same time each sees the room that there was before. Shared. Default 1,000
 * @param shutdownTime how long close, removal of a worker and shutdown wait for jobs to end.
 *     Default 2 minutes
 * @param dispatchTimeout how long a dispatch waits for the job to start. Default 40 seconds
 * @param resultsFor how long the outcome of a {@link PoolClient#dispatchOnce} is remembered.
 *     Default 5 minutes
 * @param retry what happens to a job whose handler fails. Default: no retry
 * @param onError told of failures that no caller can be told of; must not block. Default: a line in
 *     the log
 */
public record PoolOptions(
    Duration workerTtl,
    Duration ackGrace,
    int queuedMax,
    Duration shutdownTime,
    Duration dispatchTimeout,
    Duration resultsFor,
    RetryPolicy retry,
    Consumer<PoolException> onError) {
  /** Writes failures to the logger {@code dev.tidemark.pulse} of the system, as warnings. */
  public static final Consumer<PoolException> LOG =
      failure ->
          System.getLogger("dev.tidemark.pulse")
              .log(System.Logger.Level.WARNING, failure.getMessage(), failure);

  /** What applies where nothing else is said. */
  public static final PoolOptions DEFAULTS =
      new PoolOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          1_000,
          Duration.ofMinutes(2),
          Duration.ofSeconds(40),
          Duration.ofMinutes(5),
          RetryPolicy.NONE,
          LOG);

  /** Refuses values that make no sense. */
  public PoolOptions {
    OptionChecks.milliseconds("workerTtl", workerTtl);
    OptionChecks.milliseconds("ackGrace", ackGrace);
    OptionChecks.milliseconds("shutdownTime", shutdownTime);
    OptionChecks.milliseconds("dispatchTimeout", dispatchTimeout);
    OptionChecks.milliseconds("resultsFor", resultsFor);
    Objects.requireNonNull(retry, "retry is null; RetryPolicy.NONE is for one attempt");
    Objects.requireNonNull(onError, "onError is null; PoolOptions.LOG is the default");
    if (queuedMax < 1) {
      throw new IllegalArgumentException("queuedMax is " + queuedMax + "; it must be 1 or more");
    }
  }

  /** These options with another time to live. */
  public PoolOptions withWorkerTtl(Duration time) {
    return new PoolOptions(
        time, ackGrace, queuedMax, shutdownTime, dispatchTimeout, resultsFor, retry, onError);
  }

  /** These options with another grace. */
  public PoolOptions withAckGrace(Duration time) {
    return new PoolOptions(
        workerTtl, time, queuedMax, shutdownTime, dispatchTimeout, resultsFor, retry, onError);
  }

  /** These options with another number of jobs that wait. */
  public PoolOptions withQueuedMax(int jobs) {
    return new PoolOptions(
        workerTtl, ackGrace, jobs, shutdownTime, dispatchTimeout, resultsFor, retry, onError);
  }

  /** These options with another time to end. */
  public PoolOptions withShutdownTime(Duration time) {
    return new PoolOptions(
        workerTtl, ackGrace, queuedMax, time, dispatchTimeout, resultsFor, retry, onError);
  }

  /** These options with another time to wait for a start. */
  public PoolOptions withDispatchTimeout(Duration time) {
    return new PoolOptions(
        workerTtl, ackGrace, queuedMax, shutdownTime, time, resultsFor, retry, onError);
  }

  /** These options with another memory of outcomes. */
  public PoolOptions withResultsFor(Duration time) {
    return new PoolOptions(
        workerTtl, ackGrace, queuedMax, shutdownTime, dispatchTimeout, time, retry, onError);
  }

  /** These options with other retries. */
  public PoolOptions withRetry(RetryPolicy policy) {
    return new PoolOptions(
        workerTtl, ackGrace, queuedMax, shutdownTime, dispatchTimeout, resultsFor, policy, onError);
  }

  /** These options with another place for failures. */
  public PoolOptions withOnError(Consumer<PoolException> listener) {
    return new PoolOptions(
        workerTtl, ackGrace, queuedMax, shutdownTime, dispatchTimeout, resultsFor, retry, listener);
  }
}
