package dev.tidemark.partitions;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.UsageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which node owns which keys, at one version. Immutable.
 *
 * <p>The routes of an actor type cover the whole key space: no key is of two partitions, none is of
 * no partition. A table that breaks this cannot be built. Looking up a key takes a binary search.
 */
public final class RoutingTable {
  /** A table without partitions, older than every other. */
  public static final RoutingTable EMPTY = new RoutingTable(0, new TreeMap<>(), Map.of());

  private final long version;
  private final SortedMap<String, List<Route>> routesByType;
  private final Map<String, Route> routesByPartition;

  private RoutingTable(
      long version, SortedMap<String, List<Route>> routesByType, Map<String, Route> byPartition) {
    this.version = version;
    this.routesByType = routesByType;
    this.routesByPartition = byPartition;
  }

  /**
   * The table of these routes.
   *
   * @throws UsageException if a partition occurs twice, or the ranges of a type overlap or leave a
   *     gap
   */
  public static RoutingTable of(long version, Collection<Route> routes) {
    if (version < 0) {
      throw UsageException.invalidOption(
          "A routing table has version %,d; versions are 0 or greater".formatted(version));
    }
    Map<String, Route> byPartition = HashMap.newHashMap(routes.size());
    TreeMap<String, List<Route>> byType = new TreeMap<>();
    for (Route route : routes) {
      if (byPartition.put(route.partition(), route) != null) {
        throw invalid(version, "has partition " + route.partition() + " twice");
      }
      byType.computeIfAbsent(route.type(), any -> new ArrayList<>()).add(route);
    }
    for (Map.Entry<String, List<Route>> entry : byType.entrySet()) {
      entry.getValue().sort(Comparator.comparing(route -> route.range().start()));
      checkCover(version, entry.getKey(), entry.getValue());
      entry.setValue(List.copyOf(entry.getValue()));
    }
    return new RoutingTable(version, byType, Map.copyOf(byPartition));
  }

  private static void checkCover(long version, String type, List<Route> sorted) {
    Route first = sorted.getFirst();
    if (first.range().start().size() > 0) {
      throw invalid(version, "has no partition of %s before %s".formatted(type, first));
    }
    for (int i = 1; i < sorted.size(); i++) {
      Route before = sorted.get(i - 1);
      Route route = sorted.get(i);
      if (before.range().intersects(route.range())) {
        throw invalid(version, "has the same keys in %s and in %s".formatted(before, route));
      }
      if (!before.range().isFollowedBy(route.range())) {
        throw invalid(version, "has a gap between %s and %s".formatted(before, route));
      }
    }
    Route last = sorted.getLast();
    if (last.range().end().isPresent()) {
      throw invalid(version, "has no partition of %s after %s".formatted(type, last));
    }
  }

  private static UsageException invalid(long version, String what) {
    return UsageException.invalidOption(
        "Routing table %,d %s; the partitions of a type must cover every key once"
            .formatted(version, what));
  }

  /** Increases with every change of the table. */
  public long version() {
    return version;
  }

  /** The actor types that have partitions, sorted. */
  public Set<String> types() {
    return Collections.unmodifiableSet(routesByType.keySet());
  }

  /** How many partitions there are, of all types. */
  public int size() {
    return routesByPartition.size();
  }

  /** All routes, sorted by type and then by key. */
  public List<Route> routes() {
    List<Route> all = new ArrayList<>(size());
    routesByType.values().forEach(all::addAll);
    return all;
  }

  /** The routes of one actor type, sorted by key; none if the type has no partitions. */
  public List<Route> routes(String type) {
    return routesByType.getOrDefault(type, List.of());
  }

  /** The partition that holds {@code key}; empty only if the type has no partitions. */
  public Optional<Route> find(String type, Key key) {
    List<Route> sorted = routes(type);
    return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(indexOf(sorted, key)));
  }

  /** The partition with this id. */
  public Optional<Route> partition(String id) {
    return Optional.ofNullable(routesByPartition.get(id));
  }

  /** The partitions of a type that hold some key of {@code range}, sorted by key. */
  public List<Route> inRange(String type, PartitionRange range) {
    List<Route> sorted = routes(type);
    if (sorted.isEmpty()) {
      return sorted;
    }
    int from = indexOf(sorted, range.start());
    int to = from + 1;
    while (to < sorted.size() && sorted.get(to).range().intersects(range)) {
      to++;
    }
    return sorted.subList(from, to);
  }

  /** The partition that ends where {@code route} begins, if there is one. */
  public Optional<Route> before(Route route) {
    int index = indexOf(routes(route.type()), route.range().start());
    return index == 0 ? Optional.empty() : Optional.of(routes(route.type()).get(index - 1));
  }

  /** The last route that starts at {@code key} or before it; the first starts at the empty key. */
  private static int indexOf(List<Route> sorted, Key key) {
    int low = 0;
    int high = sorted.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (sorted.get(middle).range().start().compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RoutingTable table
        && table.version == version
        && table.routesByPartition.equals(routesByPartition);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + routesByPartition.hashCode();
  }

  @Override
  public String toString() {
    return "RoutingTable[version=%d, partitions=%d]".formatted(version, size());
  }
}
