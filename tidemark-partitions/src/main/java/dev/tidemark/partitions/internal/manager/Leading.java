package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.Policy;
import dev.tidemark.partitions.internal.metrics.CountedMetrics;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.operations.OperationRunner;
import dev.tidemark.partitions.internal.operations.TermWrites;
import dev.tidemark.partitions.internal.store.NodeRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a manager does during one term as the leader. */
final class Leading implements AutoCloseable {
  private static final Duration SWEEP = Duration.ofSeconds(2);
  private static final int LOOKS_PER_LEASE = 10;

  final TermWrites term;
  final OperationRunner runner;
  final Reconciler reconciler;
  final PolicyLoop policies;
  private final List<TermLoop> loops;

  /**
   * What a term needs to know.
   *
   * @param types actor types that get a first partition
   * @param policy what counts while no policy is applied
   * @param nodeLease how long nodes may be silent
   * @param openAdmission whether nodes need no registration
   * @param metrics who is told of operations and terms
   */
  record Settings(
      List<String> types,
      Policy policy,
      Duration nodeLease,
      boolean openAdmission,
      CountedMetrics metrics) {}

  Leading(
      TermWrites term, ClusterRows rows, RemoteHosts hosts, LoadBoard board, Settings settings) {
    this.term = term;
    this.runner =
        new OperationRunner(term, rows, hosts, () -> board.load(term.now()), settings.metrics());
    term.run(tx -> rows.states().setAdmission(tx, settings.openAdmission()));
    this.policies = new PolicyLoop(term, rows, runner, board, settings.policy());
    this.reconciler =
        new Reconciler(
            term, rows, hosts, runner, policies::policy, settings.types(), settings.nodeLease());
    Duration look = settings.nodeLease().dividedBy(LOOKS_PER_LEASE);
    this.loops =
        List.of(
            loop("reconciler", look, reconciler::look),
            loop("sweep", SWEEP, () -> forgetFormer(rows, hosts, board)),
            loop("policy", policies.pause(), policies::look));
    loops.forEach(TermLoop::start);
  }

  private TermLoop loop(String name, Duration pause, TermLoop.Step step) {
    return new TermLoop(
        "partitions-" + name, term.database().time(), term.leadership(), pause, step);
  }

  /** Releases what belongs to nodes, or addresses of nodes, that no longer exist. */
  private void forgetFormer(ClusterRows rows, RemoteHosts hosts, LoadBoard board) {
    Map<String, NodeRow> nodes = term.read(rows.nodes()::all);
    hosts.keepOnly(nodes.values().stream().map(NodeRow::address).collect(Collectors.toSet()));
    board.keepOnly(nodes.keySet());
    reconciler.keepOnly(nodes.keySet());
  }

  /** Stops everything; operations are left to the next leader. */
  @Override
  public void close() {
    loops.forEach(TermLoop::close);
    runner.close();
  }
}
