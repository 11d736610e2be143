package dev.tidemark.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import java.time.Duration;
import java.util.List;

/** How a {@link PartitionClient} works. Immutable; {@code with…} methods make copies. */
public final class PartitionClientOptions {
  private final List<String> managers;
  private final String name;
  private final ChannelOptions channels;
  private final Duration timeout;
  private final Duration connectTimeout;
  private final TimeSource time;
  private final PartitionMetrics metrics;

  private PartitionClientOptions(
      List<String> managers,
      String name,
      ChannelOptions channels,
      Duration timeout,
      Duration connectTimeout,
      TimeSource time,
      PartitionMetrics metrics) {
    this.managers = List.copyOf(managers);
    this.name = name;
    this.channels = channels;
    this.timeout = timeout;
    this.connectTimeout = connectTimeout;
    this.time = time;
    this.metrics = metrics;
    if (managers.isEmpty()) {
      throw UsageException.invalidOption("A client needs the address of at least one manager");
    }
    managers.forEach(address -> ServerAddresses.check("a manager", address));
    OptionChecks.duration("timeout", timeout, Duration.ofMillis(1));
    OptionChecks.duration("connectTimeout", connectTimeout, Duration.ofMillis(1));
  }

  /** Options for a client that gets its routing tables from these managers. */
  public static PartitionClientOptions managers(String... addresses) {
    return new PartitionClientOptions(
        List.of(addresses),
        "client",
        ChannelOptions.defaults(),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        TimeSource.system(),
        PartitionMetrics.NONE);
  }

  /** The addresses of managers; one that is gone is replaced by the next. */
  public List<String> managers() {
    return managers;
  }

  /** A label for people; two clients may have the same. */
  public String name() {
    return name;
  }

  /** How it connects. */
  public ChannelOptions channels() {
    return channels;
  }

  /** How long a request may take, all its attempts together. Default 10 seconds. */
  public Duration timeout() {
    return timeout;
  }

  /** How long {@link PartitionClient#connect} waits for the first table. Default 30 seconds. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** The clock for pauses and deadlines. Default: the machine's. */
  public TimeSource time() {
    return time;
  }

  /** Who is told of requests. Default nobody. */
  public PartitionMetrics metrics() {
    return metrics;
  }

  /** These options with other metrics. */
  public PartitionClientOptions withMetrics(PartitionMetrics other) {
    return new PartitionClientOptions(
        managers, name, channels, timeout, connectTimeout, time, other);
  }

  /** These options with another label. */
  public PartitionClientOptions withName(String other) {
    return new PartitionClientOptions(
        managers, other, channels, timeout, connectTimeout, time, metrics);
  }

  /** These options with other connections: certificates, a token. */
  public PartitionClientOptions withChannels(ChannelOptions other) {
    return new PartitionClientOptions(
        managers, name, other, timeout, connectTimeout, time, metrics);
  }

  /** These options with another time for a request. */
  public PartitionClientOptions withTimeout(Duration other) {
    return new PartitionClientOptions(
        managers, name, channels, other, connectTimeout, time, metrics);
  }

  /** These options with another wait for the first table. */
  public PartitionClientOptions withConnectTimeout(Duration other) {
    return new PartitionClientOptions(managers, name, channels, timeout, other, time, metrics);
  }

  /** These options with another clock. */
  public PartitionClientOptions withTime(TimeSource other) {
    return new PartitionClientOptions(
        managers, name, channels, timeout, connectTimeout, other, metrics);
  }
}
