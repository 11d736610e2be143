package dev.tidemark.partitions.internal.server;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.ListenerOptions;
import dev.tidemark.partitions.PartitionMetrics;
import dev.tidemark.partitions.internal.engine.EngineOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * What {@link dev.tidemark.partitions.PartitionServerOptions} hold, checked.
 *
 * @param node the name of the node
 * @param listener where it listens
 * @param channel how it reaches the manager
 * @param advertised where others reach it, if not where it listens
 * @param generation a label of the version it runs
 * @param lease how long the node counts as alive
 * @param joinTimeout how long it tries to join
 * @param drainTimeout how long it waits for its partitions to move away at the end
 * @param requestTimeout the longest that a request may take
 * @param engine the limits of the engine
 * @param metrics who is told of requests
 */
public record ServerSettings(
    String node,
    ListenerOptions listener,
    ChannelOptions channel,
    Optional<String> advertised,
    String generation,
    Duration lease,
    Duration joinTimeout,
    Duration drainTimeout,
    Duration requestTimeout,
    EngineOptions engine,
    PartitionMetrics metrics) {

  public static ServerSettings defaults(String node) {
    return new ServerSettings(
        node,
        ListenerOptions.defaults(),
        ChannelOptions.defaults(),
        Optional.empty(),
        "",
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        EngineOptions.DEFAULTS,
        PartitionMetrics.NONE);
  }

  public ServerSettings withListener(ListenerOptions other) {
    return new ServerSettings(
        node,
        other,
        channel,
        advertised,
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withChannel(ChannelOptions other) {
    return new ServerSettings(
        node,
        listener,
        other,
        advertised,
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withAdvertised(String other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        Optional.of(other),
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withGeneration(String other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        other,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withLease(Duration other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        other,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withJoinTimeout(Duration other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        lease,
        other,
        drainTimeout,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withDrainTimeout(Duration other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        lease,
        joinTimeout,
        other,
        requestTimeout,
        engine,
        metrics);
  }

  public ServerSettings withRequestTimeout(Duration other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        other,
        engine,
        metrics);
  }

  public ServerSettings withEngine(EngineOptions other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        other,
        metrics);
  }

  public ServerSettings withMetrics(PartitionMetrics other) {
    return new ServerSettings(
        node,
        listener,
        channel,
        advertised,
        generation,
        lease,
        joinTimeout,
        drainTimeout,
        requestTimeout,
        engine,
        other);
  }
}
