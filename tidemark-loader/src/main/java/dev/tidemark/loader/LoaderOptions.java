package dev.tidemark.loader;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How a {@link Loader} gathers, merges and retries. It has many options because it tunes both the
 * source and the warehouse.
 */
public final class LoaderOptions {
  /** The largest number of messages in a batch that can be asked for. */
  public static final int BATCH_MESSAGES_LIMIT = 1_000_000;

  private final int batchMessages;
  private final long batchBytes;
  private final Duration batchAge;
  private final Duration pullWait;
  private final int emptyPulls;
  private final RetryPolicy retries;
  private final int breakerFailures;
  private final Duration breakerPause;
  private final OptionalInt aloneAfterDeliveries;
  private final Table.Policy tablePolicy;
  private final TimeSource time;

  private LoaderOptions(Draft draft) {
    batchMessages = draft.batchMessages;
    batchBytes = draft.batchBytes;
    batchAge = draft.batchAge;
    pullWait = draft.pullWait;
    emptyPulls = draft.emptyPulls;
    retries = draft.retries;
    breakerFailures = draft.breakerFailures;
    breakerPause = draft.breakerPause;
    aloneAfterDeliveries = draft.aloneAfterDeliveries;
    tablePolicy = draft.tablePolicy;
    time = draft.time;
  }

  /** What applies where nothing else is said. */
  public static LoaderOptions defaults() {
    return new LoaderOptions(new Draft());
  }

  /** Most messages of a batch. Default 4,096 */
  public int batchMessages() {
    return batchMessages;
  }

  /** Most bytes of the messages of a batch; one larger message goes alone. Default 8,000,000 */
  public long batchBytes() {
    return batchBytes;
  }

  /** How long a message waits for its batch to fill. Default 5 seconds */
  public Duration batchAge() {
    return batchAge;
  }

  /** How long a pull waits for a message. Default one second */
  public Duration pullWait() {
    return pullWait;
  }

  /** How many pulls in a row must find nothing until a source counts as empty. Default 2 */
  public int emptyPulls() {
    return emptyPulls;
  }

  /**
   * How pulls, acknowledgements, and merges that fail for a temporary reason are retried. Default 5
   * attempts, the second after 200 milliseconds, at most 10 seconds apart
   */
  public RetryPolicy retries() {
    return retries;
  }

  /** After how many failed batches in a row the circuit breaker opens. Default 3 */
  public int breakerFailures() {
    return breakerFailures;
  }

  /** How long a run without an end waits while the breaker is open. Default 30 seconds */
  public Duration breakerPause() {
    return breakerPause;
  }

  /**
   * After how many deliveries a message is merged alone, so that a message that crashes the
   * warehouse or the loader cannot fail others with it; empty for never. Default 10
   */
  public OptionalInt aloneAfterDeliveries() {
    return aloneAfterDeliveries;
  }

  /** What happens to a table that is missing or does not fit. Default it is refused */
  public Table.Policy tablePolicy() {
    return tablePolicy;
  }

  /** Where time comes from. Default the machine's clock */
  public TimeSource time() {
    return time;
  }

  /** These options with other largest batches. */
  public LoaderOptions withBatchMax(int messages, long bytes) {
    OptionChecks.between("batchMessages", messages, 1, BATCH_MESSAGES_LIMIT);
    OptionChecks.positive("batchBytes", bytes);
    Draft draft = new Draft(this);
    draft.batchMessages = messages;
    draft.batchBytes = bytes;
    return new LoaderOptions(draft);
  }

  /** These options with another longest wait for a batch to fill. */
  public LoaderOptions withBatchAge(Duration age) {
    OptionChecks.positive("batchAge", age);
    Draft draft = new Draft(this);
    draft.batchAge = age;
    return new LoaderOptions(draft);
  }

  /** These options with another longest wait for a message. */
  public LoaderOptions withPullWait(Duration wait) {
    OptionChecks.positive("pullWait", wait);
    Draft draft = new Draft(this);
    draft.pullWait = wait;
    return new LoaderOptions(draft);
  }

  /** These options with another number of empty pulls that end a run. */
  public LoaderOptions withEmptyPulls(int pulls) {
    OptionChecks.positive("emptyPulls", pulls);
    Draft draft = new Draft(this);
    draft.emptyPulls = pulls;
    return new LoaderOptions(draft);
  }

  /** These options with other retries. */
  public LoaderOptions withRetries(RetryPolicy policy) {
    Draft draft = new Draft(this);
    draft.retries = policy;
    return new LoaderOptions(draft);
  }

  /** These options with another circuit breaker. */
  public LoaderOptions withBreaker(int failures, Duration pause) {
    OptionChecks.positive("breakerFailures", failures);
    OptionChecks.positive("breakerPause", pause);
    Draft draft = new Draft(this);
    draft.breakerFailures = failures;
    draft.breakerPause = pause;
    return new LoaderOptions(draft);
  }

  /** These options with messages merged alone after {@code deliveries} deliveries. */
  public LoaderOptions withAloneAfterDeliveries(int deliveries) {
    OptionChecks.positive("aloneAfterDeliveries", deliveries);
    Draft draft = new Draft(this);
    draft.aloneAfterDeliveries = OptionalInt.of(deliveries);
    return new LoaderOptions(draft);
  }

  /** These options with messages that are merged with others however often they were delivered. */
  public LoaderOptions withNoneAlone() {
    Draft draft = new Draft(this);
    draft.aloneAfterDeliveries = OptionalInt.empty();
    return new LoaderOptions(draft);
  }

  /** These options with another rule for tables that are missing or do not fit. */
  public LoaderOptions withTablePolicy(Table.Policy policy) {
    Draft draft = new Draft(this);
    draft.tablePolicy = policy;
    return new LoaderOptions(draft);
  }

  /** These options with another clock. */
  public LoaderOptions withTime(TimeSource source) {
    Draft draft = new Draft(this);
    draft.time = source;
    return new LoaderOptions(draft);
  }

  /** The values of options that are being made. */
  private static final class Draft {
    private int batchMessages = 4_096;
    private long batchBytes = 8_000_000;
    private Duration batchAge = Duration.ofSeconds(5);
    private Duration pullWait = Duration.ofSeconds(1);
    private int emptyPulls = 2;
    private RetryPolicy retries =
        new RetryPolicy(5, Duration.ofMillis(200), Duration.ofSeconds(10));
    private int breakerFailures = 3;
    private Duration breakerPause = Duration.ofSeconds(30);
    private OptionalInt aloneAfterDeliveries = OptionalInt.of(10);
    private Table.Policy tablePolicy = Table.Policy.CHECK;
    private TimeSource time = TimeSource.system();

    Draft() {}

    Draft(LoaderOptions from) {
      batchMessages = from.batchMessages;
      batchBytes = from.batchBytes;
      batchAge = from.batchAge;
      pullWait = from.pullWait;
      emptyPulls = from.emptyPulls;
      retries = from.retries;
      breakerFailures = from.breakerFailures;
      breakerPause = from.breakerPause;
      aloneAfterDeliveries = from.aloneAfterDeliveries;
      tablePolicy = from.tablePolicy;
      time = from.time;
    }
  }
}
