package dev.tidemark.pulse;

import java.time.Duration;

/**
 * How a pool works. The first node fixes the values that all nodes must share, which are those
 * marked so; a node that joins with others is refused.
 *
 * @param workerTtl how long a silent node is believed to be alive. Shared. Default 30 seconds
 * @param ackGrace how long a worker has to start a job before it goes to another. Shared. Default
 *     20 seconds
 * @param queuedMax how many jobs the pool takes that have not been started. Shared. Default 1,000
 * @param shutdownTime how long {@link PoolNode#close} and shutdown wait for handlers to stop.
 *     Default 2 minutes
 * @param dispatchTimeout how long a dispatch waits for the job to start. Default 40 seconds
 * @param resultsFor how long the outcome of a {@code dispatchOnce} is remembered. Default 5 minutes
 * @param retry what happens to a job whose handler fails. Default: no retry
 */
public record PoolOptions(
    Duration workerTtl,
    Duration ackGrace,
    int queuedMax,
    Duration shutdownTime,
    Duration dispatchTimeout,
    Duration resultsFor,
    RetryPolicy retry) {
  /** What applies where nothing else is said. */
  public static final PoolOptions DEFAULTS =
      new PoolOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          1_000,
          Duration.ofMinutes(2),
          Duration.ofSeconds(40),
          Duration.ofMinutes(5),
          RetryPolicy.NONE);
}
