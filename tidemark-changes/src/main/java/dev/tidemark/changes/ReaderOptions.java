package dev.tidemark.changes;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** How a {@link ChangeReader} works. Immutable; each {@code with} method returns a copy. */
public final class ReaderOptions implements Cloneable {
  private static final Duration HEARTBEAT_MIN = Duration.ofMillis(100);
  private static final Duration HEARTBEAT_MAX = Duration.ofMinutes(5);

  private String run;
  private StartAt start = StartAt.now();
  private @Nullable Instant end;
  private OrderMode order = OrderMode.PARTITION;
  private boolean autoAck = true;
  private boolean systemTransactions = true;
  private int batchSize = 1_000;
  private int inFlightPerPartition = 1_000;
  private long bytesInFlight = 64L << 20;
  private int partitions = 10_000;

  /** 0 for no limit. */
  private double recordsPerSecond;

  private Duration detectionInterval = Duration.ofMillis(100);
  private Duration flushInterval = Duration.ofMillis(100);
  private Duration heartbeat = Duration.ofSeconds(2);
  private int missedHeartbeats = 10;
  private Duration softTimeout = Duration.ofMinutes(10);
  private Duration ackTimeout = Duration.ofMinutes(5);
  private OnAckTimeout onAckTimeout = OnAckTimeout.WARN;
  private OnGap onGap = OnGap.FAIL;
  private RetryOptions retry = RetryOptions.defaults();
  private Duration lease = Duration.ofSeconds(10);
  private Duration finishedRetention = Duration.ofDays(1);
  private boolean deleteWhenComplete;
  private TimeSource time = TimeSource.system();

  /** What happens with a record that was not acknowledged in time. */
  public enum OnAckTimeout {
    /** A warning is logged and counted, once; the position stays before the record. */
    WARN,
    /** The record is handed out again. */
    REDELIVER,
    /** The reader fails. */
    FAIL
  }

  /** What happens when the source no longer has the changes at a stored position. */
  public enum OnGap {
    /** The reader fails and names the gap. */
    FAIL,
    /** The gap is reported, and reading goes on with the earliest change that is left. */
    SKIP
  }

  private ReaderOptions(String run) {
    this.run = run;
  }

  /**
   * Options with all defaults for the run {@code run}: readers with the same run, source and
   * metadata store share the work.
   */
  public static ReaderOptions forRun(String run) {
    if (run.isBlank()) {
      throw UsageException.invalidOption("The name of a run is blank; it needs a character");
    }
    return new ReaderOptions(run);
  }

  private ReaderOptions copy() {
    try {
      return (ReaderOptions) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Where a new run begins. Default: with changes from now on.
   *
   * @throws UsageException if the run ends at an earlier time
   */
  public ReaderOptions withStart(StartAt where) {
    checkRange(where, end);
    ReaderOptions other = copy();
    other.start = where;
    return other;
  }

  /**
   * Ends the run after the changes of {@code time}, which are included. Default: no end.
   *
   * @throws UsageException if the run starts at a later time
   */
  public ReaderOptions withEnd(Instant time) {
    checkRange(start, time);
    ReaderOptions other = copy();
    other.end = time;
    return other;
  }

  private static void checkRange(StartAt from, @Nullable Instant to) {
    if (from instanceof StartAt.Time begin && to != null && begin.time().isAfter(to)) {
      throw UsageException.invalidOption(
          "The run starts at %s, after its end at %s".formatted(begin.time(), to));
    }
  }

  /** The order of records. Default {@link OrderMode#PARTITION}. */
  public ReaderOptions withOrder(OrderMode mode) {
    ReaderOptions other = copy();
    other.order = mode;
    return other;
  }

  /** Leaves it to the program to acknowledge; returning from the handler no longer does. */
  public ReaderOptions withManualAck() {
    ReaderOptions other = copy();
    other.autoAck = false;
    return other;
  }

  /** Leaves out what the source's store changed by itself, such as expired records. */
  public ReaderOptions withoutSystemTransactions() {
    ReaderOptions other = copy();
    other.systemTransactions = false;
    return other;
  }

  /** The most records of a batch. Default 1,000. */
  public ReaderOptions withBatchSize(int records) {
    OptionChecks.positive("batchSize", records);
    ReaderOptions other = copy();
    other.batchSize = records;
    return other;
  }

  /** The most records of a partition that were read and not acknowledged. Default 1,000. */
  public ReaderOptions withInFlightPerPartition(int records) {
    OptionChecks.positive("inFlightPerPartition", records);
    ReaderOptions other = copy();
    other.inFlightPerPartition = records;
    return other;
  }

  /**
   * The most bytes of records that were read and not acknowledged, over all partitions. A partition
   * with nothing in flight may always read one record. Default 64 MiB.
   */
  public ReaderOptions withBytesInFlight(long bytes) {
    OptionChecks.positive("bytesInFlight", bytes);
    ReaderOptions other = copy();
    other.bytesInFlight = bytes;
    return other;
  }

  /**
   * The most partitions that this process reads at once; others wait, or are read by another
   * process. Default 10,000.
   */
  public ReaderOptions withPartitions(int number) {
    OptionChecks.positive("partitions", number);
    ReaderOptions other = copy();
    other.partitions = number;
    return other;
  }

  /** The most records a second that this process reads. Default: no limit. */
  public ReaderOptions withRecordsPerSecond(double records) {
    if (!(records > 0)) {
      throw UsageException.invalidOption(
          "recordsPerSecond is " + records + "; it must be positive");
    }
    ReaderOptions other = copy();
    other.recordsPerSecond = records;
    return other;
  }

  /** How often new partitions are looked for. Default 100 ms. */
  public ReaderOptions withDetectionInterval(Duration interval) {
    OptionChecks.positive("detectionInterval", interval);
    ReaderOptions other = copy();
    other.detectionInterval = interval;
    return other;
  }

  /** How often positions are stored and watermarks computed. Default 100 ms. */
  public ReaderOptions withFlushInterval(Duration interval) {
    OptionChecks.positive("flushInterval", interval);
    ReaderOptions other = copy();
    other.flushInterval = interval;
    return other;
  }

  /** How often an idle partition gives a sign of life: 100 ms to 5 min. Default 2 s. */
  public ReaderOptions withHeartbeat(Duration interval) {
    OptionChecks.between("heartbeat", interval, HEARTBEAT_MIN, HEARTBEAT_MAX);
    ReaderOptions other = copy();
    other.heartbeat = interval;
    return other;
  }

  /**
   * After this number of heartbeat intervals without an answer a query is cancelled and repeated.
   * Default 10.
   */
  public ReaderOptions withMissedHeartbeats(int number) {
    OptionChecks.positive("missedHeartbeats", number);
    ReaderOptions other = copy();
    other.missedHeartbeats = number;
    return other;
  }

  /** After this time a query is ended and asked again from where it was. Default 10 min. */
  public ReaderOptions withSoftTimeout(Duration timeout) {
    OptionChecks.positive("softTimeout", timeout);
    ReaderOptions other = copy();
    other.softTimeout = timeout;
    return other;
  }

  /** How long a record may stay unacknowledged, and what happens then. Default 5 min, WARN. */
  public ReaderOptions withAckTimeout(Duration timeout, OnAckTimeout policy) {
    OptionChecks.positive("ackTimeout", timeout);
    ReaderOptions other = copy();
    other.ackTimeout = timeout;
    other.onAckTimeout = policy;
    return other;
  }

  /** What happens when changes were removed before they were read. Default FAIL. */
  public ReaderOptions withOnGap(OnGap policy) {
    ReaderOptions other = copy();
    other.onGap = policy;
    return other;
  }

  /** How failed calls are repeated. */
  public ReaderOptions withRetry(RetryOptions options) {
    ReaderOptions other = copy();
    other.retry = options;
    return other;
  }

  /** How long other processes wait for one that has gone silent. Default 10 s. */
  public ReaderOptions withLease(Duration length) {
    OptionChecks.positive("lease", length);
    ReaderOptions other = copy();
    other.lease = length;
    return other;
  }

  /** How long rows of finished partitions are kept. Default one day. */
  public ReaderOptions withFinishedRetention(Duration time) {
    OptionChecks.positive("finishedRetention", time);
    ReaderOptions other = copy();
    other.finishedRetention = time;
    return other;
  }

  /**
   * Removes everything of the run from the metadata store when it has completed. The last of
   * several processes does.
   */
  public ReaderOptions withDeleteWhenComplete() {
    ReaderOptions other = copy();
    other.deleteWhenComplete = true;
    return other;
  }

  /** The clock for pauses and time-outs. Default: the machine's. */
  public ReaderOptions withTime(TimeSource source) {
    ReaderOptions other = copy();
    other.time = source;
    return other;
  }

  /** The name of the run. */
  public String run() {
    return run;
  }

  /** Where a new run begins. */
  public StartAt start() {
    return start;
  }

  /** When the run ends, if it does. */
  public Optional<Instant> end() {
    return Optional.ofNullable(end);
  }

  /** The order of records. */
  public OrderMode order() {
    return order;
  }

  /** Whether returning from the handler acknowledges. */
  public boolean autoAck() {
    return autoAck;
  }

  /** Whether changes that the store made by itself are delivered. */
  public boolean systemTransactions() {
    return systemTransactions;
  }

  /** The most records of a batch. */
  public int batchSize() {
    return batchSize;
  }

  /** The most records in flight in a partition. */
  public int inFlightPerPartition() {
    return inFlightPerPartition;
  }

  /** The most bytes in flight. */
  public long bytesInFlight() {
    return bytesInFlight;
  }

  /** The most partitions at once. */
  public int partitions() {
    return partitions;
  }

  /** The most records a second, if there is a limit. */
  public OptionalDouble recordsPerSecond() {
    return recordsPerSecond == 0 ? OptionalDouble.empty() : OptionalDouble.of(recordsPerSecond);
  }

  /** How often new partitions are looked for. */
  public Duration detectionInterval() {
    return detectionInterval;
  }

  /** How often positions are stored. */
  public Duration flushInterval() {
    return flushInterval;
  }

  /** How often an idle partition gives a sign of life. */
  public Duration heartbeat() {
    return heartbeat;
  }

  /** After how many missed heartbeats a query is repeated. */
  public int missedHeartbeats() {
    return missedHeartbeats;
  }

  /** After what time a query is asked again. */
  public Duration softTimeout() {
    return softTimeout;
  }

  /** How long a record may stay unacknowledged. */
  public Duration ackTimeout() {
    return ackTimeout;
  }

  /** What happens with a record that stays so longer. */
  public OnAckTimeout onAckTimeout() {
    return onAckTimeout;
  }

  /** What happens when changes were removed before they were read. */
  public OnGap onGap() {
    return onGap;
  }

  /** How failed calls are repeated. */
  public RetryOptions retry() {
    return retry;
  }

  /** How long other processes wait for one that has gone silent. */
  public Duration lease() {
    return lease;
  }

  /** How long rows of finished partitions are kept. */
  public Duration finishedRetention() {
    return finishedRetention;
  }

  /** Whether the run is removed when it has completed. */
  public boolean deleteWhenComplete() {
    return deleteWhenComplete;
  }

  /** The clock for pauses and time-outs. */
  public TimeSource time() {
    return time;
  }
}
