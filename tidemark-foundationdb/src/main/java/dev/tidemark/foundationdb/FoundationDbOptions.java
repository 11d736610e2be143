package dev.tidemark.foundationdb;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a program uses a FoundationDB cluster.
 *
 * <p>{@code traceDirectory} and {@code tls} belong to the client's network, which a process has
 * once: the first database that is opened sets them, and a later one must not ask for others.
 */
public final class FoundationDbOptions {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int WATCHES_MOST = 1_000_000;

  /** What applies where nothing else is said. */
  public static final FoundationDbOptions DEFAULTS =
      new FoundationDbOptions(
          Optional.empty(),
          Optional.empty(),
          10_000,
          Duration.ofSeconds(30),
          Optional.of(Duration.ofSeconds(10)),
          TimeSource.system());

  private final Optional<Path> traceDirectory;
  private final Optional<TlsFiles> tls;
  private final int watches;
  private final Duration responseTimeout;
  private final Optional<Duration> sampleInterval;
  private final TimeSource time;

  private FoundationDbOptions(
      Optional<Path> traceDirectory,
      Optional<TlsFiles> tls,
      int watches,
      Duration responseTimeout,
      Optional<Duration> sampleInterval,
      TimeSource time) {
    if (watches < 0 || watches > WATCHES_MOST) {
      throw UsageException.invalidOption(
          "watches is %,d; it must be from 0 to %,d".formatted(watches, WATCHES_MOST));
    }
    checkDuration("responseTimeout", responseTimeout);
    sampleInterval.ifPresent(interval -> checkDuration("sampleInterval", interval));
    this.traceDirectory = traceDirectory;
    this.tls = tls;
    this.watches = watches;
    this.responseTimeout = responseTimeout;
    this.sampleInterval = sampleInterval;
    this.time = time;
  }

  /** Where the client writes its trace files. Default empty: none are written. */
  public Optional<Path> traceDirectory() {
    return traceDirectory;
  }

  /** The files of a client that speaks TLS. Default empty: plain text. */
  public Optional<TlsFiles> tls() {
    return tls;
  }

  /** Most watches open at a time. Default 10,000; from 0 to 1,000,000. */
  public int watches() {
    return watches;
  }

  /**
   * How long one read or commit may wait for the cluster, which the client itself would do for
   * ever. Default 30 seconds; at least a second. A read then fails as unavailable, and a commit
   * with an unknown result. {@code TransactionOptions.timeout} can be shorter.
   */
  public Duration responseTimeout() {
    return responseTimeout;
  }

  /**
   * How often the database notes in the cluster which version it is at which time, unless another
   * process just did. Default ten seconds; at least a second. Empty takes no samples, for clients
   * that must not write; {@code timeOf} and {@code versionAt} then rely on the samples of others.
   */
  public Optional<Duration> sampleInterval() {
    return sampleInterval;
  }

  /** The clock that samples, timeouts and pauses go by. Default the machine's. */
  public TimeSource time() {
    return time;
  }

  private static void checkDuration(String name, Duration value) {
    if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
      throw UsageException.invalidOption(
          "%s is %s; it must be from %s to %s".formatted(name, value, SHORTEST, LONGEST));
    }
  }

  /** These options with trace files in {@code directory}. */
  public FoundationDbOptions withTraceDirectory(Path directory) {
    return new FoundationDbOptions(
        Optional.of(directory), tls, watches, responseTimeout, sampleInterval, time);
  }

  /** These options with other files for TLS. */
  public FoundationDbOptions withTls(TlsFiles files) {
    return new FoundationDbOptions(
        traceDirectory, Optional.of(files), watches, responseTimeout, sampleInterval, time);
  }

  /** These options with another number of watches. */
  public FoundationDbOptions withWatches(int count) {
    return new FoundationDbOptions(
        traceDirectory, tls, count, responseTimeout, sampleInterval, time);
  }

  /** These options with another longest wait for the cluster. */
  public FoundationDbOptions withResponseTimeout(Duration timeout) {
    return new FoundationDbOptions(traceDirectory, tls, watches, timeout, sampleInterval, time);
  }

  /** These options with another pause between samples. */
  public FoundationDbOptions withSampleInterval(Duration interval) {
    return withSampleInterval(Optional.of(interval));
  }

  /** These options for a client that takes no samples. */
  public FoundationDbOptions withoutSamples() {
    return withSampleInterval(Optional.empty());
  }

  private FoundationDbOptions withSampleInterval(Optional<Duration> interval) {
    return new FoundationDbOptions(traceDirectory, tls, watches, responseTimeout, interval, time);
  }

  /** These options with another clock. */
  public FoundationDbOptions withTime(TimeSource other) {
    return new FoundationDbOptions(
        traceDirectory, tls, watches, responseTimeout, sampleInterval, other);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FoundationDbOptions that
        && Objects.equals(traceDirectory, that.traceDirectory)
        && Objects.equals(tls, that.tls)
        && watches == that.watches
        && Objects.equals(responseTimeout, that.responseTimeout)
        && Objects.equals(sampleInterval, that.sampleInterval)
        && Objects.equals(time, that.time);
  }

  @Override
  public int hashCode() {
    return Objects.hash(traceDirectory, tls, watches, responseTimeout, sampleInterval, time);
  }

  @Override
  public String toString() {
    return "FoundationDbOptions["
        + "traceDirectory="
        + traceDirectory
        + ", tls="
        + tls
        + ", watches="
        + watches
        + ", responseTimeout="
        + responseTimeout
        + ", sampleInterval="
        + sampleInterval
        + ", time="
        + time
        + "]";
  }
}
