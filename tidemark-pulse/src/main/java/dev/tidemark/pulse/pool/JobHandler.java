package dev.tidemark.pulse.pool;

/**
 * What a worker does with long-running jobs. Its methods are called one at a time.
 *
 * <p>An exception of theirs harms nobody else. It is told to whoever waits for the call, or to
 * {@link PoolOptions#onError}.
 */
public interface JobHandler {
  /**
   * Starts {@code job} and returns soon; the job then runs until {@link #stop}. The jobs that come
   * after it wait meanwhile.
   *
   * @throws Exception if it cannot be started; see {@link RetryPolicy} for what happens then
   */
  void start(Job job) throws Exception;

  /**
   * Stops the job {@code key}: when this returns it no longer runs, and may be started elsewhere.
   *
   * @throws Exception if it cannot be stopped; it counts as running. If it was to move to another
   *     worker, that is tried again with every renewal of the node's lease
   */
  void stop(String key) throws Exception;

  /**
   * Takes a notification for the running job {@code key}. The default refuses it.
   *
   * @throws Exception goes to {@link PoolOptions#onError}; the notification is not repeated
   */
  default void notification(String key, byte[] payload) throws Exception {
    throw new UnsupportedOperationException(
        "The handler %s takes no notifications; one for the job %s is dropped"
            .formatted(getClass().getName(), key));
  }

  /**
   * Takes a message that was {@link PoolClient#send sent} to {@code key}. The default refuses it.
   *
   * @throws Exception goes to {@link PoolOptions#onError}; the message is not repeated
   */
  default void message(String key, byte[] payload) throws Exception {
    throw new UnsupportedOperationException(
        "The handler %s takes no messages; one for the key %s is dropped"
            .formatted(getClass().getName(), key));
  }
}
