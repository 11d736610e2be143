package dev.tidemark.partitions.internal.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Partitions of one type, dealt out to nodes in turns. */
final class SimulatedTable {
  /** Customers of each partition. */
  private static final long NUMBERS = 1_000_000;

  private final List<Route> routes = new ArrayList<>();
  private long version = 1;

  SimulatedTable(int nodes, int partitions) {
    for (int i = 0; i < partitions; i++) {
      routes.add(
          new Route(
              "p-1-" + i,
              "orders",
              new PartitionRange(
                  i == 0 ? Key.EMPTY : key(i),
                  i + 1 == partitions ? Optional.empty() : Optional.of(key(i + 1))),
              node(i % nodes),
              address(i % nodes),
              1));
    }
  }

  private static Key key(int i) {
    return key((long) i * NUMBERS);
  }

  private static Key key(long number) {
    return Key.utf8("customer/%012d".formatted(number));
  }

  private static long number(Key key) {
    return key.size() == 0
        ? 0
        : Long.parseLong(new String(key.toByteArray(), UTF_8).substring("customer/".length()));
  }

  /** The key in the middle of a range. */
  static Key middle(PartitionRange range) {
    long low = number(range.start());
    long high = range.end().map(SimulatedTable::number).orElse(low + NUMBERS);
    return key((low + high) / 2);
  }

  static String node(int number) {
    return "node-%04d".formatted(number);
  }

  private static String address(int number) {
    return "10.0.%d.%d:7600".formatted(number / 250, number % 250 + 1);
  }

  List<Route> routes() {
    return routes;
  }

  long version() {
    return version;
  }

  RoutingTable table() {
    return RoutingTable.of(version, routes);
  }

  /** Gives the partition at {@code index} to another node, as a flip does. */
  void move(int index, String node) {
    Route route = routes.get(index);
    int number = Integer.parseInt(node.substring(node.indexOf('-') + 1));
    routes.set(
        index,
        new Route(
            route.partition(),
            route.type(),
            route.range(),
            node,
            address(number),
            route.epoch() + 1));
    version++;
  }
}
