package dev.tidemark.partitions.internal.client;

import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionLoad;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.protocol.WireStatistics;
import dev.tidemark.partitions.internal.wire.Member;
import dev.tidemark.partitions.internal.wire.NodeStats;
import dev.tidemark.partitions.internal.wire.Operation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/** What managers answer to operators, in the types that these see. */
final class OperatorMessages {
  private OperatorMessages() {}

  static PartitionOperation operation(Operation wire) {
    return new PartitionOperation(
        wire.getOperationId(),
        wire.getKind(),
        switch (wire.getState()) {
          case DONE -> PartitionOperation.State.DONE;
          case FAILED -> PartitionOperation.State.FAILED;
          case CANCELLED -> PartitionOperation.State.CANCELLED;
          default -> PartitionOperation.State.RUNNING;
        },
        wire.getStep(),
        optional(wire.getPartitionId()),
        optional(wire.getOtherPartitionId()),
        optional(wire.getNodeId()),
        wire.getHasKey() ? Optional.of(WireRoutes.key(wire.getKey())) : Optional.empty(),
        wire.getAttempts(),
        instant(wire.getStartedMicros()),
        instant(wire.getUpdatedMicros()),
        optional(wire.getError()));
  }

  static ClusterMember member(Member wire) {
    return new ClusterMember(
        wire.getNodeId(),
        wire.getAddress(),
        switch (wire.getState()) {
          case ACTIVE -> ClusterMember.State.ACTIVE;
          case DRAINING -> ClusterMember.State.DRAINING;
          case FAILED -> ClusterMember.State.FAILED;
          default -> ClusterMember.State.WAITING;
        },
        wire.getIncarnation(),
        wire.getGeneration(),
        wire.getPartitions(),
        wire.getAlive());
  }

  static Stream<PartitionLoad> loads(NodeStats wire) {
    return WireStatistics.fromWire(wire).loads().stream();
  }

  private static Optional<String> optional(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
