package dev.tidemark.partitions;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.server.ServerSettings;
import java.time.Duration;

/**
 * How a {@link PartitionServer} joins, listens and works. Immutable; {@code with…} methods make
 * copies.
 */
public final class PartitionServerOptions {
  private final ServerSettings settings;

  private PartitionServerOptions(ServerSettings settings) {
    this.settings = settings;
  }

  /**
   * Options for the node {@code name}, which no other server of the cluster has: letters, digits,
   * dots, dashes and underscores.
   */
  public static PartitionServerOptions node(String name) {
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw UsageException.invalidOption(
          "The node is named '%s'; use 1 to 100 letters, digits, dots, dashes and underscores"
              .formatted(name));
    }
    return new PartitionServerOptions(ServerSettings.defaults(name));
  }

  ServerSettings settings() {
    return settings;
  }

  /** The name of the node. */
  public String node() {
    return settings.node();
  }

  /** Where it listens, and whom it lets in. Default a free port of 127.0.0.1. */
  public PartitionServerOptions withListener(ListenerOptions options) {
    return new PartitionServerOptions(settings.withListener(options));
  }

  /**
   * How it reaches the leading manager, which it tells its statistics and, at its end, to move its
   * partitions away. Managers with tokens want one of the role NODE.
   */
  public PartitionServerOptions withChannel(ChannelOptions options) {
    return new PartitionServerOptions(settings.withChannel(options));
  }

  /**
   * Where others reach it, as {@code host:port}. Default the address that it listens on, which is
   * wrong behind a network address translation.
   */
  public PartitionServerOptions withAdvertisedAddress(String address) {
    ServerAddresses.check("the server", address);
    return new PartitionServerOptions(settings.withAdvertised(address));
  }

  /** A label of the version it runs; new partitions go to the newest label. Default empty. */
  public PartitionServerOptions withGeneration(String label) {
    return new PartitionServerOptions(settings.withGeneration(label));
  }

  /**
   * How long the node counts as alive after its last sign of life. A shorter one is noticed sooner
   * and tolerates shorter pauses. Default 10 seconds; at least 300 milliseconds. The server itself
   * stops answering reads after two thirds of it.
   */
  public PartitionServerOptions withLease(Duration time) {
    OptionChecks.duration("lease", time, Duration.ofMillis(300));
    return new PartitionServerOptions(settings.withLease(time));
  }

  /** How long {@link PartitionServer#open} tries to join. Default 30 seconds. */
  public PartitionServerOptions withJoinTimeout(Duration time) {
    OptionChecks.duration("joinTimeout", time, Duration.ofMillis(1));
    return new PartitionServerOptions(settings.withJoinTimeout(time));
  }

  /**
   * How long {@link PartitionServer#close} waits for the partitions to be moved away, by the
   * manager that leads or whoever leads after it. Default 60 seconds; zero does not ask for it.
   */
  public PartitionServerOptions withDrainTimeout(Duration time) {
    OptionChecks.duration("drainTimeout", time, Duration.ZERO);
    return new PartitionServerOptions(settings.withDrainTimeout(time));
  }

  /** The longest that a request may take, whatever its caller says. Default 30 seconds. */
  public PartitionServerOptions withRequestTimeout(Duration time) {
    OptionChecks.duration("requestTimeout", time, Duration.ofMillis(1));
    return new PartitionServerOptions(settings.withRequestTimeout(time));
  }

  /** How many requests may wait for one actor; further ones are refused. Default 8,192. */
  public PartitionServerOptions withMailbox(int requests) {
    OptionChecks.atLeast("mailbox", requests, 1);
    return new PartitionServerOptions(settings.withEngine(settings.engine().withMailbox(requests)));
  }

  /**
   * When a checkpoint replaces the log: after {@code entries} log entries, after {@code bytes}
   * bytes of them, or after {@code interval} if there is at least one entry. Default 10,000
   * entries, 16 MB, one minute.
   */
  public PartitionServerOptions withCheckpoints(int entries, long bytes, Duration interval) {
    OptionChecks.atLeast("checkpoint entries", entries, 1);
    OptionChecks.atLeast("checkpoint bytes", bytes, 1);
    OptionChecks.duration("checkpoint interval", interval, Duration.ofMillis(1));
    return new PartitionServerOptions(
        settings.withEngine(settings.engine().withCheckpoints(entries, bytes, interval)));
  }

  /** After how long without requests an actor leaves memory. Default 5 minutes. */
  public PartitionServerOptions withIdleTimeout(Duration time) {
    OptionChecks.duration("idleTimeout", time, Duration.ofMillis(1));
    Duration sweep =
        time.dividedBy(4).compareTo(Duration.ofSeconds(10)) < 0
            ? Duration.ofNanos(Math.max(1_000_000, time.toNanos() / 4))
            : Duration.ofSeconds(10);
    return new PartitionServerOptions(settings.withEngine(settings.engine().withIdle(time, sweep)));
  }

  /**
   * How many answers are kept for repeated requests: those of {@code clients} clients, {@code
   * perClient} each, for {@code time}. A repetition that comes later is refused, or, if its client
   * was forgotten, carried out again. Default 1,024 clients, 1,024 answers each, 10 minutes.
   */
  public PartitionServerOptions withAnswers(int clients, int perClient, Duration time) {
    OptionChecks.atLeast("clients", clients, 1);
    OptionChecks.atLeast("answers per client", perClient, 1);
    OptionChecks.duration("answer time", time, Duration.ofMillis(1));
    return new PartitionServerOptions(
        settings.withEngine(settings.engine().withAnswers(clients, perClient, time)));
  }

  /** Who is told of requests. Default nobody. */
  public PartitionServerOptions withMetrics(PartitionMetrics metrics) {
    return new PartitionServerOptions(settings.withMetrics(metrics));
  }

  @Override
  public String toString() {
    return settings.toString();
  }
}
