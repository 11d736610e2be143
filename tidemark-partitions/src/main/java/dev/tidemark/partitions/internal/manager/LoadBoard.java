package dev.tidemark.partitions.internal.manager;

import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.engine.HostStatistics;
import dev.tidemark.partitions.internal.engine.PartitionStatistics;
import dev.tidemark.partitions.internal.members.NodeTable;
import dev.tidemark.partitions.internal.operations.ClusterRows;
import dev.tidemark.partitions.internal.operations.Hosts;
import dev.tidemark.partitions.internal.policy.ClusterLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.Load;
import dev.tidemark.partitions.internal.policy.ClusterLoad.NodeLoad;
import dev.tidemark.partitions.internal.policy.ClusterLoad.PartitionLoad;
import dev.tidemark.partitions.internal.store.NodeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The latest statistics of every server, and the load of the cluster that follows from them. */
final class LoadBoard {
  private final Control control;
  private final ClusterRows rows;
  private final Hosts hosts;
  private final Map<String, HostStatistics> latest = new ConcurrentHashMap<>();

  LoadBoard(Control control, ClusterRows rows, Hosts hosts) {
    this.control = control;
    this.rows = rows;
    this.hosts = hosts;
  }

  /** Asks every server that runs, all at once; who does not answer has no statistics. */
  void ask(Instant now) throws InterruptedException {
    List<Thread> askers = new ArrayList<>();
    Map<String, NodeRow> nodes = control.rows().read(rows.nodes()::all);
    latest.keySet().retainAll(nodes.keySet());
    nodes.forEach(
        (node, row) -> {
          if (NodeTable.isAlive(row, now)) {
            askers.add(Thread.startVirtualThread(() -> ask(node, row)));
          } else {
            latest.remove(node);
          }
        });
    for (Thread asker : askers) {
      asker.join();
    }
  }

  private void ask(String node, NodeRow row) {
    try {
      latest.put(node, hosts.host(node, row).statistics());
    } catch (PartitionException silent) {
      latest.remove(node);
    }
  }

  /** The statistics of a node, if it gave some lately. */
  Optional<HostStatistics> of(String node) {
    return Optional.ofNullable(latest.get(node));
  }

  /** The statistics of a partition, if its node gave some lately. */
  Optional<PartitionStatistics> ofPartition(String partition) {
    return Optional.ofNullable(byPartition().get(partition));
  }

  private Map<String, PartitionStatistics> byPartition() {
    Map<String, PartitionStatistics> statistics = new HashMap<>();
    latest
        .values()
        .forEach(host -> host.partitions().forEach(one -> statistics.put(one.partition(), one)));
    return statistics;
  }

  /** What policies and placement look at. */
  ClusterLoad load(Instant now) {
    Map<String, PartitionStatistics> statistics = byPartition();
    return control
        .rows()
        .read(
            tx -> {
              Map<String, String> locks = rows.operations().locks(tx);
              RoutingTable table = rows.routing().load(tx);
              List<NodeLoad> nodes = new ArrayList<>();
              rows.nodes().all(tx).forEach((node, row) -> nodes.add(nodeLoad(node, row, now)));
              return new ClusterLoad(
                  nodes,
                  table.routes().stream()
                      .map(
                          route ->
                              new PartitionLoad(
                                  route,
                                  loadOf(route, statistics),
                                  locks.containsKey(route.partition())))
                      .toList());
            });
  }

  private NodeLoad nodeLoad(String node, NodeRow row, Instant now) {
    return new NodeLoad(
        node, ClusterRows.isPlaceable(row, now), latest.containsKey(node), row.generation());
  }

  private static Optional<Load> loadOf(Route route, Map<String, PartitionStatistics> statistics) {
    return Optional.ofNullable(statistics.get(route.partition()))
        .map(one -> new Load(one.requestsPerSecond(), one.keys(), one.bytes()));
  }
}
