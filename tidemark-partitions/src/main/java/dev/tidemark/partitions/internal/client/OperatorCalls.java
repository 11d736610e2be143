package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionLoad;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperator.Explanation;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.AddNodeRequest;
import dev.tidemark.partitions.internal.wire.ApplyPolicyRequest;
import dev.tidemark.partitions.internal.wire.CancelOperationRequest;
import dev.tidemark.partitions.internal.wire.ClearPolicyRequest;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.EnsureActorTypeRequest;
import dev.tidemark.partitions.internal.wire.ExplainPartitionReply;
import dev.tidemark.partitions.internal.wire.ExplainPartitionRequest;
import dev.tidemark.partitions.internal.wire.FailoverPartitionRequest;
import dev.tidemark.partitions.internal.wire.GetClusterStatsReply;
import dev.tidemark.partitions.internal.wire.GetClusterStatsRequest;
import dev.tidemark.partitions.internal.wire.GetOperationRequest;
import dev.tidemark.partitions.internal.wire.GetPolicyRequest;
import dev.tidemark.partitions.internal.wire.ListMembersRequest;
import dev.tidemark.partitions.internal.wire.ListOperationsRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc.ManagerBlockingStub;
import dev.tidemark.partitions.internal.wire.MergeRequest;
import dev.tidemark.partitions.internal.wire.MigrateRequest;
import dev.tidemark.partitions.internal.wire.NodeRequest;
import dev.tidemark.partitions.internal.wire.OperationReply;
import dev.tidemark.partitions.internal.wire.PolicyReply;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import dev.tidemark.partitions.internal.wire.SplitRequest;
import dev.tidemark.partitions.internal.wire.WatchRoutingRequest;
import io.grpc.Context;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/** What an operator asks, in messages. */
public final class OperatorCalls implements AutoCloseable {
  private final LeaderCalls leader;

  /** Asks these managers. */
  public OperatorCalls(List<String> managers, ChannelOptions channels, Duration timeout) {
    this.leader = new LeaderCalls(managers, channels, timeout);
  }

  /** Repeats are recognized by the operation's id, which this side chooses. */
  private PartitionOperation operate(
      boolean force, BiFunction<ManagerBlockingStub, RequestOptions, OperationReply> method) {
    RequestOptions options =
        RequestOptions.newBuilder()
            .setOperationId("op-" + UUID.randomUUID())
            .setForce(force)
            .build();
    return OperatorMessages.operation(
        leader.callPatiently(stub -> method.apply(stub, options)).getOperation());
  }

  public PartitionOperation split(String partition, Optional<Key> key, boolean force) {
    SplitRequest.Builder request = SplitRequest.newBuilder().setPartitionId(partition);
    key.ifPresent(at -> request.setHasSplitKey(true).setSplitKey(WireRoutes.bytes(at)));
    return operate(force, (stub, options) -> stub.split(request.setOptions(options).build()));
  }

  public PartitionOperation merge(String lower, String upper, boolean force) {
    MergeRequest.Builder request =
        MergeRequest.newBuilder().setLowerPartitionId(lower).setUpperPartitionId(upper);
    return operate(force, (stub, options) -> stub.merge(request.setOptions(options).build()));
  }

  public PartitionOperation migrate(String partition, String node, boolean force) {
    MigrateRequest.Builder request =
        MigrateRequest.newBuilder().setPartitionId(partition).setTargetNodeId(node);
    return operate(force, (stub, options) -> stub.migrate(request.setOptions(options).build()));
  }

  public PartitionOperation drain(String node) {
    DrainNodeRequest.Builder request = DrainNodeRequest.newBuilder().setNodeId(node);
    return operate(false, (stub, options) -> stub.drainNode(request.setOptions(options).build()));
  }

  public PartitionOperation failover(String partition, Optional<String> node) {
    FailoverPartitionRequest.Builder request =
        FailoverPartitionRequest.newBuilder()
            .setPartitionId(partition)
            .setTargetNodeId(node.orElse(""));
    return operate(
        false, (stub, options) -> stub.failoverPartition(request.setOptions(options).build()));
  }

  public void ensureType(String type) {
    leader.call(
        stub ->
            stub.ensureActorType(EnsureActorTypeRequest.newBuilder().setActorType(type).build()));
  }

  public List<ClusterMember> members() {
    return leader
        .call(stub -> stub.listMembers(ListMembersRequest.getDefaultInstance()))
        .getMembersList()
        .stream()
        .map(OperatorMessages::member)
        .toList();
  }

  public RoutingTable routing() {
    return leader.call(
        stub -> {
          // Ends the stream after its first message.
          try (Context.CancellableContext once = Context.current().withCancellation()) {
            AtomicReference<RoutingTable> first = new AtomicReference<>(RoutingTable.EMPTY);
            once.run(() -> first.set(firstTable(stub)));
            return first.get();
          }
        });
  }

  private static RoutingTable firstTable(ManagerBlockingStub stub) {
    Iterator<RoutingUpdate> updates =
        stub.watchRouting(WatchRoutingRequest.newBuilder().setClientId("operator").build());
    return WireRoutes.apply(RoutingTable.EMPTY, updates.next()).orElse(RoutingTable.EMPTY);
  }

  public List<PartitionLoad> statistics(Optional<String> node) {
    return stats(node).getNodesList().stream().flatMap(OperatorMessages::loads).toList();
  }

  public List<String> silentNodes() {
    return stats(Optional.empty()).getSilentNodeIdsList();
  }

  private GetClusterStatsReply stats(Optional<String> node) {
    return leader.call(
        stub ->
            stub.getClusterStats(
                GetClusterStatsRequest.newBuilder().setNodeId(node.orElse("")).build()));
  }

  public List<PartitionOperation> operations(boolean running) {
    return leader
        .call(
            stub ->
                stub.listOperations(
                    ListOperationsRequest.newBuilder().setRunningOnly(running).build()))
        .getOperationsList()
        .stream()
        .map(OperatorMessages::operation)
        .toList();
  }

  public PartitionOperation operation(String id) {
    return OperatorMessages.operation(
        leader.call(
            stub ->
                stub.getOperation(GetOperationRequest.newBuilder().setOperationId(id).build())));
  }

  public PartitionOperation cancel(String id) {
    return OperatorMessages.operation(
        leader.call(
            stub ->
                stub.cancelOperation(
                    CancelOperationRequest.newBuilder().setOperationId(id).build())));
  }

  public void applyPolicy(String yaml) {
    leader.call(
        stub -> stub.applyPolicy(ApplyPolicyRequest.newBuilder().setPolicyYaml(yaml).build()));
  }

  public Optional<String> policy() {
    PolicyReply reply = leader.call(stub -> stub.getPolicy(GetPolicyRequest.getDefaultInstance()));
    return reply.getActive() ? Optional.of(reply.getPolicyYaml()) : Optional.empty();
  }

  public void clearPolicy() {
    leader.call(stub -> stub.clearPolicy(ClearPolicyRequest.getDefaultInstance()));
  }

  public void addNode(String node, String address) {
    leader.call(
        stub ->
            stub.addNode(AddNodeRequest.newBuilder().setNodeId(node).setAddress(address).build()));
  }

  public void removeNode(String node) {
    leader.call(stub -> stub.removeNode(NodeRequest.newBuilder().setNodeId(node).build()));
  }

  public void resetNode(String node) {
    leader.call(stub -> stub.resetNode(NodeRequest.newBuilder().setNodeId(node).build()));
  }

  public Explanation explain(String partition) {
    ExplainPartitionReply reply =
        leader.call(
            stub ->
                stub.explainPartition(
                    ExplainPartitionRequest.newBuilder().setPartitionId(partition).build()));
    return new Explanation(
        WireRoutes.fromWire(reply.getRoute()),
        reply.getPhase(),
        reply.getOperationId().isEmpty() ? Optional.empty() : Optional.of(reply.getOperationId()),
        reply.getReasonsList());
  }

  @Override
  public void close() {
    leader.close();
  }
}
