package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.operations.TermWrites;
import dev.tidemark.partitions.internal.policy.Decision;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.protocol.WireOperations;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.protocol.WireStatistics;
import dev.tidemark.partitions.internal.store.LeaderRow;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.store.OwnershipRow;
import dev.tidemark.partitions.internal.wire.AddNodeRequest;
import dev.tidemark.partitions.internal.wire.ApplyPolicyRequest;
import dev.tidemark.partitions.internal.wire.ClearPolicyRequest;
import dev.tidemark.partitions.internal.wire.ExplainPartitionReply;
import dev.tidemark.partitions.internal.wire.ExplainPartitionRequest;
import dev.tidemark.partitions.internal.wire.GetClusterStatsReply;
import dev.tidemark.partitions.internal.wire.GetClusterStatsRequest;
import dev.tidemark.partitions.internal.wire.GetPolicyRequest;
import dev.tidemark.partitions.internal.wire.GetStatusRequest;
import dev.tidemark.partitions.internal.wire.ListMembersReply;
import dev.tidemark.partitions.internal.wire.ListMembersRequest;
import dev.tidemark.partitions.internal.wire.ManagerStatus;
import dev.tidemark.partitions.internal.wire.Member;
import dev.tidemark.partitions.internal.wire.NodeRequest;
import dev.tidemark.partitions.internal.wire.NodeStats;
import dev.tidemark.partitions.internal.wire.PolicyReply;
import dev.tidemark.partitions.internal.wire.ReportStatsReply;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rest of what operators ask: nodes, statistics, policies and reasons. */
final class OperatorService extends ManagerService {
  private final PolicyRows policies;

  OperatorService(ManagerCore core) {
    super(core);
    this.policies = new PolicyRows();
  }

  @Override
  public void listMembers(ListMembersRequest request, StreamObserver<ListMembersReply> reply) {
    Replies.answer(
        reply,
        () -> {
          Instant now = core.now();
          Map<String, Integer> counts = new TreeMap<>();
          core.table().routes().forEach(route -> counts.merge(route.node(), 1, Integer::sum));
          ListMembersReply.Builder list = ListMembersReply.newBuilder();
          core.control()
              .rows()
              .read(core.rows().nodes()::all)
              .forEach(
                  (node, row) ->
                      list.addMembers(
                          WireOperations.toWire(
                              node,
                              row,
                              counts.getOrDefault(node, 0),
                              NodeTable.isAlive(row, now))));
          return list.build();
        });
  }

  @Override
  public void addNode(AddNodeRequest request, StreamObserver<Member> reply) {
    Replies.answer(
        reply,
        () -> {
          if (request.getNodeId().isBlank()) {
            throw new PartitionException(Reason.INVALID, "The node has no name");
          }
          if (!request.getAddress().isEmpty()) { // else it says itself where it is
            ServerAddresses.check("node " + request.getNodeId(), request.getAddress());
          }
          TermWrites term = core.requireLeading().term;
          NodeRow row =
              term.write(
                  tx -> core.rows().states().add(tx, request.getNodeId(), request.getAddress()));
          return WireOperations.toWire(request.getNodeId(), row, 0, false);
        });
  }

  @Override
  public void removeNode(NodeRequest request, StreamObserver<Member> reply) {
    Replies.answer(
        reply,
        () -> {
          TermWrites term = core.requireLeading().term;
          String node = request.getNodeId();
          Instant now = term.now();
          boolean owns =
              term.readStore(core.rows()::owners).values().stream()
                  .anyMatch(owner -> owner.node().equals(node));
          if (owns) {
            throw new PartitionException(
                Reason.REFUSED,
                "Node %s still owns partitions; fail them over first".formatted(node));
          }
          // A node that may be removed can be given nothing any more.
          NodeRow row = term.write(control -> core.rows().states().remove(control, node, now));
          return WireOperations.toWire(node, row, 0, false);
        });
  }

  @Override
  public void resetNode(NodeRequest request, StreamObserver<Member> reply) {
    Replies.answer(
        reply,
        () -> {
          TermWrites term = core.requireLeading().term;
          NodeRow row = term.write(tx -> core.rows().states().reset(tx, request.getNodeId()));
          return WireOperations.toWire(request.getNodeId(), row, 0, false);
        });
  }

  @Override
  public void getClusterStats(
      GetClusterStatsRequest request, StreamObserver<GetClusterStatsReply> reply) {
    Replies.answer(
        reply,
        () -> {
          core.requireLeading();
          Instant now = core.now();
          GetClusterStatsReply.Builder stats = GetClusterStatsReply.newBuilder();
          nodes(optional(request.getNodeId()))
              .forEach(
                  (node, row) -> {
                    Optional<HostStatistics> host = core.board().of(node, row, now);
                    if (host.isPresent()) {
                      stats.addNodes(WireStatistics.toWire(stillOwned(host.get())));
                    } else if (NodeTable.isAlive(row, now)) {
                      stats.addSilentNodeIds(node);
                    }
                  });
          return stats.build();
        });
  }

  /** All nodes, or the one that was asked for. */
  private Map<String, NodeRow> nodes(Optional<String> only) {
    Map<String, NodeRow> all = core.control().rows().read(core.rows().nodes()::all);
    only.ifPresent(
        node -> {
          if (!all.containsKey(node)) {
            throw new PartitionException(Reason.NOT_FOUND, "There is no node " + node);
          }
          all.keySet().retainAll(Set.of(node));
        });
    return all;
  }

  /** Without what has moved away since the report. */
  private HostStatistics stillOwned(HostStatistics host) {
    RoutingTable table = core.table();
    return new HostStatistics(
        host.node(),
        host.incarnation(),
        host.partitions().stream()
            .filter(
                one ->
                    table
                        .partition(one.partition())
                        .filter(route -> route.node().equals(host.node()))
                        .isPresent())
            .toList());
  }

  @Override
  public void reportStats(NodeStats request, StreamObserver<ReportStatsReply> reply) {
    Replies.answer(
        reply,
        () -> {
          core.requireLeading();
          core.board().report(WireStatistics.fromWire(request));
          return ReportStatsReply.getDefaultInstance();
        });
  }

  @Override
  public void applyPolicy(ApplyPolicyRequest request, StreamObserver<PolicyReply> reply) {
    Replies.answer(
        reply,
        () -> {
          Policy.parse(request.getPolicyYaml());
          TermWrites term = core.requireLeading().term;
          return policy(term.write(tx -> policies.store(tx, request.getPolicyYaml())));
        });
  }

  @Override
  public void getPolicy(GetPolicyRequest request, StreamObserver<PolicyReply> reply) {
    Replies.answer(reply, () -> policy(core.control().rows().read(policies::stored)));
  }

  @Override
  public void clearPolicy(ClearPolicyRequest request, StreamObserver<PolicyReply> reply) {
    Replies.answer(
        reply,
        () -> {
          TermWrites term = core.requireLeading().term;
          return policy(term.write(tx -> policies.store(tx, "")));
        });
  }

  private static PolicyReply policy(PolicyRows.Stored stored) {
    return PolicyReply.newBuilder()
        .setPolicyYaml(stored.yaml())
        .setActive(stored.isActive())
        .setRevision(stored.revision())
        .setSummary(
            stored.isActive()
                ? Policy.parse(stored.yaml()).toString()
                : "no policy is applied; the manager's own counts")
        .build();
  }

  @Override
  public void explainPartition(
      ExplainPartitionRequest request, StreamObserver<ExplainPartitionReply> reply) {
    Replies.answer(
        reply,
        () -> {
          core.requireLeading();
          String partition = request.getPartitionId();
          Route route =
              core.table()
                  .partition(partition)
                  .orElseThrow(
                      () ->
                          new PartitionException(
                              Reason.NOT_FOUND, "There is no partition " + partition));
          ExplainPartitionReply.Builder explained =
              ExplainPartitionReply.newBuilder().setRoute(WireRoutes.toWire(route));
          core.control()
              .database()
              .read(tx -> core.rows().routing().owner(tx, partition))
              .map(OwnershipRow::phase)
              .ifPresent(phase -> explained.setPhase(phase.name()));
          Optional.ofNullable(
                  core.control().rows().read(core.rows().operations()::locks).get(partition))
              .ifPresent(explained::setOperationId);
          core.board()
              .of(route, core.now())
              .ifPresent(one -> explained.setHasStats(true).setStats(WireStatistics.toWire(one)));
          reasons(partition).forEach(explained::addReasons);
          return explained.build();
        });
  }

  private List<String> reasons(String partition) {
    Leading leading = core.requireLeading();
    Optional<Decision> last = leading.policies.last();
    if (last.isEmpty()) {
      return List.of(
          leading.policies.policy().isAutomatic()
              ? "the policy has not looked at the cluster yet"
              : "the policy is manual: only an operator splits, merges and moves");
    }
    List<String> all = new ArrayList<>(last.get().reasonsFor(partition));
    all.addAll(last.get().general());
    last.get()
        .action()
        .filter(action -> action.partitions().contains(partition))
        .ifPresent(action -> all.addFirst("the policy acted: " + action.reason()));
    return all;
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<ManagerStatus> reply) {
    Replies.answer(
        reply,
        () -> {
          Optional<LeaderRow> leader = core.leader();
          return ManagerStatus.newBuilder()
              .setManagerId(core.id())
              .setLeading(core.leading().isPresent())
              .setTerm(leader.map(LeaderRow::term).orElse(0L))
              .setLeaderAddress(leader.map(LeaderRow::address).orElse(""))
              .setRoutingVersion(core.table().version())
              .setWatchers(core.streams().watchers())
              .setRunningOperations(core.leading().map(work -> work.runner.running()).orElse(0))
              .build();
        });
  }
}
