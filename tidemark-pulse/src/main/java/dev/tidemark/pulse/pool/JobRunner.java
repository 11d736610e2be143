package dev.tidemark.pulse.pool;

/**
 * What a worker does with jobs that end.
 *
 * <p>A job is done when {@link #run} returns, and is tried again or becomes a dead one when it
 * throws, by the {@link RetryPolicy}. It is run at least once: a crash between its work and the
 * note that it is done has it run again, elsewhere and with a higher {@link Job#epoch}. It may take
 * as long as it likes, because its node holds the lease meanwhile.
 */
@FunctionalInterface
public interface JobRunner {
  /**
   * Does the work of {@code job}. The thread is interrupted when the job is stopped, or lost to
   * another node.
   *
   * @throws Exception if it failed
   */
  void run(Job job) throws Exception;
}
