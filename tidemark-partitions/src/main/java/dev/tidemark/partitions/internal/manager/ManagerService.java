package dev.tidemark.partitions.internal.manager;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.operations.OperationRequest;
import dev.tidemark.partitions.internal.protocol.WireOperations;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.wire.CancelOperationRequest;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.EnsureActorTypeRequest;
import dev.tidemark.partitions.internal.wire.FailoverPartitionRequest;
import dev.tidemark.partitions.internal.wire.GetOperationRequest;
import dev.tidemark.partitions.internal.wire.ListOperationsReply;
import dev.tidemark.partitions.internal.wire.ListOperationsRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.Operation;
import dev.tidemark.partitions.internal.wire.OperationReply;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** What clients and operators ask of a manager: tables and operations. */
class ManagerService extends ManagerGrpc.ManagerImplBase {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration DRAIN = Duration.ofMinutes(10);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int LISTED = 1_000;

  final ManagerCore core;

  ManagerService(ManagerCore core) {
    this.core = core;
  }

  @Override
  public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingUpdate> watcher) {
    core.streams().open((ServerCallStreamObserver<RoutingUpdate>) watcher);
  }

  @Override
  public void split(SplitRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () -> {
          Optional<Key> key =
              request.getHasSplitKey()
                  ? Optional.of(WireRoutes.key(request.getSplitKey()))
                  : Optional.empty();
          RequestOptions options = request.getOptions();
          checkManual(options, "split");
          return carryOut(
              OperationRequest.split(
                  request.getPartitionId(),
                  optional(request.getActorType()),
                  key,
                  deadline(options, MINUTE)),
              options);
        });
  }

  @Override
  public void merge(MergeRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () -> {
          RequestOptions options = request.getOptions();
          checkManual(options, "merge");
          return carryOut(
              OperationRequest.merge(
                  request.getLowerPartitionId(),
                  request.getUpperPartitionId(),
                  optional(request.getActorType()),
                  deadline(options, MINUTE)),
              options);
        });
  }

  @Override
  public void migrate(MigrateRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () -> {
          RequestOptions options = request.getOptions();
          checkManual(options, "migrate");
          return carryOut(
              OperationRequest.migrate(
                  request.getPartitionId(),
                  optional(request.getActorType()),
                  request.getTargetNodeId(),
                  deadline(options, MINUTE)),
              options);
        });
  }

  @Override
  public void drainNode(DrainNodeRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () ->
            carryOut(
                OperationRequest.drain(request.getNodeId(), deadline(request.getOptions(), DRAIN)),
                request.getOptions()));
  }

  @Override
  public void failoverPartition(
      FailoverPartitionRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () ->
            carryOut(
                OperationRequest.failover(
                    request.getPartitionId(),
                    optional(request.getTargetNodeId()),
                    deadline(request.getOptions(), MINUTE)),
                request.getOptions()));
  }

  @Override
  public void ensureActorType(
      EnsureActorTypeRequest request, StreamObserver<OperationReply> reply) {
    Replies.answer(
        reply,
        () -> {
          if (request.getActorType().isBlank()) {
            throw new PartitionException(Reason.INVALID, "The actor type has no name");
          }
          core.requireLeading().reconciler.ensureType(request.getActorType());
          return OperationReply.newBuilder()
              .setOperation(
                  Operation.newBuilder()
                      .setKind("ensure-type")
                      .setActorType(request.getActorType())
                      .setState(Operation.State.DONE))
              .build();
        });
  }

  /** Balancing by hand would work against a policy; drain and failover never do. */
  private void checkManual(RequestOptions options, String what) {
    if (!options.getForce() && core.requireLeading().policies.policy().isAutomatic()) {
      throw new PartitionException(
          Reason.REFUSED,
          "The policy %s is active and balances by itself; clear it, or %s with force"
              .formatted(core.requireLeading().policies.policy().algorithm(), what));
    }
  }

  private OperationReply carryOut(OperationRequest asked, RequestOptions options) {
    Leading leading = core.requireLeading();
    String id =
        options.getOperationId().isEmpty()
            ? leading.runner.start(asked)
            : leading.runner.start(options.getOperationId(), asked);
    Duration patience = options.getDetached() ? Duration.ZERO : asked.deadline().plus(MINUTE);
    OperationRow row = leading.runner.await(id, patience);
    return OperationReply.newBuilder().setOperation(WireOperations.toWire(id, row)).build();
  }

  private static Duration deadline(RequestOptions options, Duration otherwise) {
    if (options.getDeadlineMicros() <= 0) {
      return otherwise;
    }
    Duration asked = Duration.ofNanos(Math.multiplyExact(options.getDeadlineMicros(), 1_000L));
    return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
  }

  static Optional<String> optional(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  @Override
  public void getOperation(GetOperationRequest request, StreamObserver<Operation> reply) {
    Replies.answer(reply, () -> WireOperations.toWire(request.getOperationId(), find(request)));
  }

  private OperationRow find(GetOperationRequest request) {
    return core.control()
        .rows()
        .read(control -> core.rows().operations().require(control, request.getOperationId()));
  }

  @Override
  public void listOperations(
      ListOperationsRequest request, StreamObserver<ListOperationsReply> reply) {
    Replies.answer(
        reply,
        () -> {
          int limit = request.getLimit() > 0 ? Math.min(request.getLimit(), LISTED) : LISTED;
          ListOperationsReply.Builder list = ListOperationsReply.newBuilder();
          core.control().rows().read(core.rows().operations()::all).entrySet().stream()
              .filter(row -> !request.getRunningOnly() || !row.getValue().status().isFinal())
              .sorted(
                  Comparator.comparingLong(
                          (Map.Entry<String, OperationRow> row) -> row.getValue().createdAt())
                      .reversed())
              .limit(limit)
              .forEach(
                  row -> list.addOperations(WireOperations.toWire(row.getKey(), row.getValue())));
          return list.build();
        });
  }

  @Override
  public void cancelOperation(CancelOperationRequest request, StreamObserver<Operation> reply) {
    Replies.answer(
        reply,
        () ->
            WireOperations.toWire(
                request.getOperationId(),
                core.requireLeading().runner.cancel(request.getOperationId())));
  }
}
