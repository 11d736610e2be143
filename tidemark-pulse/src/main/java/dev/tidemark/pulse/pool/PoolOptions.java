package dev.tidemark.pulse.pool;

import dev.tidemark.kv.spi.OptionChecks;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a pool works. Immutable; each {@code with} method returns a copy.
 *
 * <p>Values marked as shared are the same for all nodes that are there at one time: the first node
 * fixes them, and one that joins with others is refused. A client takes over those of the nodes.
 */
public final class PoolOptions {
  /** Writes failures to the logger {@code dev.tidemark.pulse} of the system, as warnings. */
  public static final Consumer<PoolException> LOG =
      failure ->
          System.getLogger("dev.tidemark.pulse")
              .log(System.Logger.Level.WARNING, failure.getMessage(), failure);

  /** What applies where nothing else is said. */
  public static final PoolOptions DEFAULTS = new PoolOptions(new Draft());

  private final Duration workerTtl;
  private final Duration restartGrace;
  private final int queuedMax;
  private final Duration drainTime;
  private final Duration dispatchTimeout;
  private final Duration resultsFor;
  private final RetryPolicy retry;
  private final Consumer<PoolException> onError;

  private PoolOptions(Draft draft) {
    workerTtl = draft.workerTtl;
    restartGrace = draft.restartGrace;
    queuedMax = draft.queuedMax;
    drainTime = draft.drainTime;
    dispatchTimeout = draft.dispatchTimeout;
    resultsFor = draft.resultsFor;
    retry = draft.retry;
    onError = draft.onError;
    OptionChecks.milliseconds("workerTtl", workerTtl);
    OptionChecks.milliseconds("restartGrace", restartGrace);
    OptionChecks.milliseconds("drainTime", drainTime);
    OptionChecks.milliseconds("dispatchTimeout", dispatchTimeout);
    OptionChecks.milliseconds("resultsFor", resultsFor);
    Objects.requireNonNull(retry, "retry is null; RetryPolicy.NONE is for one attempt");
    Objects.requireNonNull(onError, "onError is null; PoolOptions.LOG is the default");
    OptionChecks.positive("queuedMax", queuedMax);
  }

  /**
   * How long a silent node is believed to be alive. A short one moves the jobs of a crashed node
   * sooner; one shorter than a pause of the JVM moves those of a healthy one. Shared. Default 30
   * seconds.
   */
  public Duration workerTtl() {
    return workerTtl;
  }

  /**
   * How long a running job waits for its next try when the worker that took it over could not start
   * it. Shared. Default 20 seconds.
   */
  public Duration restartGrace() {
    return restartGrace;
  }

  /**
   * How many jobs the pool takes that have never been started, those that wait for their time
   * included. Exact but for dispatches within transactions: of those that commit at the same time
   * each sees the room that there was before. Shared. Default 1,000.
   */
  public int queuedMax() {
    return queuedMax;
  }

  /**
   * How long close, removal of a worker and the end of the pool wait for running jobs. Default 2
   * minutes.
   */
  public Duration drainTime() {
    return drainTime;
  }

  /** How long a dispatch waits for the job to start. Default 40 seconds. */
  public Duration dispatchTimeout() {
    return dispatchTimeout;
  }

  /** How long the outcome of a {@link PoolClient#dispatchOnce} is remembered. Default 5 minutes. */
  public Duration resultsFor() {
    return resultsFor;
  }

  /** What happens to a job whose handler fails. Default: no retry. */
  public RetryPolicy retry() {
    return retry;
  }

  /**
   * Told of failures that no caller can be told of, such as those of runners; must not block.
   * Default: a warning in the log.
   */
  public Consumer<PoolException> onError() {
    return onError;
  }

  /** These options with another time after which a silent node counts as gone. */
  public PoolOptions withWorkerTtl(Duration time) {
    Draft draft = new Draft(this);
    draft.workerTtl = time;
    return new PoolOptions(draft);
  }

  /** These options with another wait before a job that could not be started is tried again. */
  public PoolOptions withRestartGrace(Duration time) {
    Draft draft = new Draft(this);
    draft.restartGrace = time;
    return new PoolOptions(draft);
  }

  /** These options with another number of jobs that wait. */
  public PoolOptions withQueuedMax(int jobs) {
    Draft draft = new Draft(this);
    draft.queuedMax = jobs;
    return new PoolOptions(draft);
  }

  /** These options with another time for running jobs to end. */
  public PoolOptions withDrainTime(Duration time) {
    Draft draft = new Draft(this);
    draft.drainTime = time;
    return new PoolOptions(draft);
  }

  /** These options with another time to wait for a start. */
  public PoolOptions withDispatchTimeout(Duration time) {
    Draft draft = new Draft(this);
    draft.dispatchTimeout = time;
    return new PoolOptions(draft);
  }

  /** These options with another memory of outcomes. */
  public PoolOptions withResultsFor(Duration time) {
    Draft draft = new Draft(this);
    draft.resultsFor = time;
    return new PoolOptions(draft);
  }

  /** These options with other retries. */
  public PoolOptions withRetry(RetryPolicy policy) {
    Draft draft = new Draft(this);
    draft.retry = policy;
    return new PoolOptions(draft);
  }

  /** These options with another place for failures. */
  public PoolOptions withOnError(Consumer<PoolException> listener) {
    Draft draft = new Draft(this);
    draft.onError = listener;
    return new PoolOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private Duration workerTtl = Duration.ofSeconds(30);
    private Duration restartGrace = Duration.ofSeconds(20);
    private int queuedMax = 1_000;
    private Duration drainTime = Duration.ofMinutes(2);
    private Duration dispatchTimeout = Duration.ofSeconds(40);
    private Duration resultsFor = Duration.ofMinutes(5);
    private RetryPolicy retry = RetryPolicy.NONE;
    private Consumer<PoolException> onError = LOG;

    Draft() {}

    Draft(PoolOptions from) {
      workerTtl = from.workerTtl;
      restartGrace = from.restartGrace;
      queuedMax = from.queuedMax;
      drainTime = from.drainTime;
      dispatchTimeout = from.dispatchTimeout;
      resultsFor = from.resultsFor;
      retry = from.retry;
      onError = from.onError;
    }
  }
}
