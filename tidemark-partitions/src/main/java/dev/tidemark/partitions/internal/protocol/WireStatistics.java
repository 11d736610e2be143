package dev.tidemark.partitions.internal.protocol;

import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.engine.PartitionStatistics;
import dev.tidemark.partitions.internal.wire.NodeStats;
import dev.tidemark.partitions.internal.wire.PartitionStats;
import java.time.Duration;
import java.util.OptionalLong;

/** Statistics of servers on the wire. */
public final class WireStatistics {
  private WireStatistics() {}

  /** Of one server. */
  public static NodeStats toWire(HostStatistics host) {
    NodeStats.Builder stats =
        NodeStats.newBuilder().setNodeId(host.node()).setIncarnation(host.incarnation());
    host.partitions().forEach(partition -> stats.addPartitions(toWire(partition)));
    return stats.build();
  }

  /** Of one partition. */
  public static PartitionStats toWire(PartitionStatistics partition) {
    return PartitionStats.newBuilder()
        .setPartitionId(partition.partition())
        .setActorType(partition.type())
        .setEpoch(partition.epoch())
        .setActive(partition.active())
        .setRequestsPerSecond(partition.requestsPerSecond())
        .setKeys(partition.keys().orElse(-1))
        .setBytes(partition.bytes())
        .setQueueDepth(partition.queued())
        .setP50Micros(micros(partition.p50()))
        .setP99Micros(micros(partition.p99()))
        .setLogEntries(partition.logEntries())
        .build();
  }

  /** Of one server. */
  public static HostStatistics fromWire(NodeStats stats) {
    return new HostStatistics(
        stats.getNodeId(),
        stats.getIncarnation(),
        stats.getPartitionsList().stream().map(WireStatistics::fromWire).toList());
  }

  private static PartitionStatistics fromWire(PartitionStats stats) {
    return new PartitionStatistics(
        stats.getPartitionId(),
        stats.getActorType(),
        stats.getEpoch(),
        stats.getActive(),
        stats.getRequestsPerSecond(),
        stats.getKeys() < 0 ? OptionalLong.empty() : OptionalLong.of(stats.getKeys()),
        stats.getBytes(),
        stats.getQueueDepth(),
        duration(stats.getP50Micros()),
        duration(stats.getP99Micros()),
        stats.getLogEntries());
  }

  private static double micros(Duration duration) {
    return duration.toNanos() / 1e3;
  }

  private static Duration duration(double micros) {
    return Duration.ofNanos((long) (micros * 1e3));
  }
}
