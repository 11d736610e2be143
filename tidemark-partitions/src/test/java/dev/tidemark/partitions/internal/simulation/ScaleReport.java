package dev.tidemark.partitions.internal.simulation;

import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.simulation.NodeLoss.Result;
import java.util.Locale;
import java.util.Map;

/** What the simulation found, as tables for the documentation. */
final class ScaleReport {
  private ScaleReport() {}

  /** Bytes of a whole table on the wire. */
  static long wholeBytes(int nodes, int partitions) {
    return WireRoutes.whole(new SimulatedTable(nodes, partitions).table()).getSerializedSize();
  }

  /** Bytes of what one flip changes. */
  static long flipBytes(int nodes, int partitions) {
    SimulatedTable table = new SimulatedTable(nodes, partitions);
    RoutingTable before = table.table();
    table.move(0, SimulatedTable.node(1));
    return WireRoutes.delta(before, table.table()).getSerializedSize();
  }

  static String markdown(Map<Integer, Result> losses) {
    StringBuilder text =
        new StringBuilder("| Nodes | Partitions | Whole table | One flip |\n|---|---|---|---|\n");
    for (int partitions : new int[] {1_000, 10_000, 100_000}) {
      int nodes = partitions / 100;
      text.append(
          String.format(
              Locale.ROOT,
              "| %,d | %,d | %,d kB | %d B |%n",
              nodes,
              partitions,
              wholeBytes(nodes, partitions) / 1_000,
              flipBytes(nodes, partitions)));
    }
    text.append(
        "\n"
            + "| Nodes lost | Partitions | First served | Half | Last | Tables pushed | Bytes a"
            + " watcher | Most to one node |\n"
            + "|---|---|---|---|---|---|---|---|\n");
    losses.forEach(
        (dead, loss) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "| %d | %,d | %.1f s | %.1f s | %.1f s | %d | %,d kB | %d |%n",
                    dead,
                    loss.servedAt().size(),
                    loss.servedAt().getFirst() / 1_000,
                    loss.servedAt().get(loss.servedAt().size() / 2) / 1_000,
                    loss.lastServed() / 1_000,
                    loss.pushes().size(),
                    loss.bytes() / 1_000,
                    loss.given().getMax())));
    return text.append('\n').toString();
  }
}
