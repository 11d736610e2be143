package dev.tidemark.partitions.internal.protocol;

import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.wire.Member;
import dev.tidemark.partitions.internal.wire.NodeState;
import dev.tidemark.partitions.internal.wire.Operation;
import java.util.Locale;

/** Operations and nodes on the wire. */
public final class WireOperations {
  private WireOperations() {}

  /** An operation. */
  public static Operation toWire(String id, OperationRow row) {
    Operation.Builder operation =
        Operation.newBuilder()
            .setOperationId(id)
            .setKind(row.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .setActorType(row.type().orElse(""))
            .setPartitionId(row.partition().orElse(""))
            .setOtherPartitionId(row.other().orElse(""))
            .setNodeId(row.node().orElse(""))
            .setStep(row.step())
            .setState(state(row.status()))
            .setAttempts(row.attempt())
            .setStartedMicros(row.createdAt())
            .setUpdatedMicros(row.changedAt())
            .setDeadlineMicros(row.deadline())
            .setError(row.error().orElse(""));
    row.key().ifPresent(key -> operation.setHasKey(true).setKey(WireRoutes.bytes(key)));
    return operation.build();
  }

  private static Operation.State state(OperationRow.Status status) {
    return switch (status) {
      case PENDING, RUNNING -> Operation.State.RUNNING;
      case DONE -> Operation.State.DONE;
      case FAILED -> Operation.State.FAILED;
      case CANCELLED -> Operation.State.CANCELLED;
    };
  }

  /** A node. */
  public static Member toWire(String node, NodeRow row, int partitions, boolean alive) {
    return Member.newBuilder()
        .setNodeId(node)
        .setAddress(row.address())
        .setState(
            switch (row.state()) {
              case WAITING -> NodeState.WAITING;
              case ACTIVE -> NodeState.ACTIVE;
              case DRAINING -> NodeState.DRAINING;
              case FAILED -> NodeState.FAILED;
            })
        .setIncarnation(row.incarnation())
        .setGeneration(row.generation())
        .setPartitions(partitions)
        .setAlive(alive)
        .build();
  }
}
