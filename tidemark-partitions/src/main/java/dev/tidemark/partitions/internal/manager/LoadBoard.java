package dev.tidemark.partitions.internal.manager;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.engine.PartitionStatistics;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import dev.tidemark.partitions.internal.store.NodeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The latest report of every server, and the load of the cluster that follows from them. A report
 * counts for one lease of the nodes, in which the next one should have come, and only for the
 * incarnation that sent it.
 */
final class LoadBoard {
  private final Control control;
  private final ClusterRows rows;
  private final Duration validity;
  private final TimeSource time;
  private final Map<String, Report> latest = new ConcurrentHashMap<>();

  private record Report(HostStatistics statistics, long cameAt) {
    /** Whether it came from the incarnation of {@code before} or a later one. */
    boolean isNotOlder(Report before) {
      return statistics.incarnation() >= before.statistics.incarnation();
    }
  }

  /** A partition in one epoch: its load before a split or a move says little about its load now. */
  private record Tenancy(String partition, long epoch) {}

  LoadBoard(Control control, ClusterRows rows, Duration validity) {
    this.control = control;
    this.rows = rows;
    this.validity = validity;
    this.time = control.time();
  }

  /** A server says what its partitions did. */
  void report(HostStatistics statistics) {
    latest.merge(
        statistics.node(),
        new Report(statistics, time.nanos()),
        (before, now) -> now.isNotOlder(before) ? now : before);
  }

  /** Forgets every other node. */
  void keepOnly(Set<String> nodes) {
    latest.keySet().retainAll(nodes);
  }

  /** What a node reported, if that is still valid. */
  Optional<HostStatistics> of(String node, NodeRow row, Instant now) {
    return Optional.ofNullable(latest.get(node))
        .filter(report -> time.nanos() - report.cameAt() <= validity.toNanos())
        .map(Report::statistics)
        .filter(host -> host.incarnation() == row.incarnation() && NodeTable.isAlive(row, now));
  }

  /** What the node of a partition reported about it, if that is still valid. */
  Optional<PartitionStatistics> of(Route route, Instant now) {
    return control
        .rows()
        .read(all -> rows.nodes().find(all, route.node()))
        .flatMap(row -> of(route.node(), row, now))
        .flatMap(
            host ->
                host.partitions().stream()
                    .filter(one -> one.partition().equals(route.partition()))
                    .filter(one -> one.epoch() == route.epoch())
                    .findFirst());
  }

  /** What policies and placement look at. */
  ClusterLoad load(Instant now) {
    return control
        .rows()
        .read(
            tx -> {
              Map<String, String> locks = rows.operations().locks(tx);
              RoutingTable table = rows.routing().load(tx);
              List<NodeLoad> nodes = new ArrayList<>();
              Map<Tenancy, PartitionStatistics> reported = new HashMap<>();
              rows.nodes()
                  .all(tx)
                  .forEach(
                      (node, row) -> {
                        Optional<HostStatistics> host = of(node, row, now);
                        nodes.add(
                            new NodeLoad(
                                node,
                                ClusterRows.isPlaceable(row, now),
                                host.isPresent(),
                                row.generation()));
                        host.ifPresent(
                            some ->
                                some.partitions()
                                    .forEach(
                                        one ->
                                            reported.put(
                                                new Tenancy(one.partition(), one.epoch()), one)));
                      });
              return new ClusterLoad(
                  nodes,
                  table.routes().stream()
                      .map(
                          route ->
                              new PartitionLoad(
                                  route,
                                  loadOf(route, reported),
                                  locks.containsKey(route.partition())))
                      .toList());
            });
  }

  private static Optional<Load> loadOf(Route route, Map<Tenancy, PartitionStatistics> reported) {
    return Optional.ofNullable(reported.get(new Tenancy(route.partition(), route.epoch())))
        .map(one -> new Load(one.requestsPerSecond(), one.keys(), one.bytes()));
  }
}
