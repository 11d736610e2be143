package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.partitions.ClusterMember;
import dev.tidemark.partitions.PartitionLoad;
import dev.tidemark.partitions.PartitionOperation;
import dev.tidemark.partitions.PartitionOperator;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a cluster of partitions knows, as rows. */
final class PartitionListings {
  private PartitionListings() {}

  static Listing members(List<ClusterMember> members) {
    Listing listing =
        new Listing("node", "state", "alive", "address", "incarnation", "generation", "partitions");
    members.forEach(
        one ->
            listing.add(
                one.node(),
                one.state(),
                one.alive(),
                one.address(),
                one.incarnation(),
                one.generation(),
                one.partitions()));
    return listing;
  }

  static Listing routing(RoutingTable table) {
    Listing listing =
        new Listing("version", "partition", "type", "start", "end", "node", "address", "epoch");
    for (Route route : table.routes()) {
      listing.add(
          table.version(),
          route.partition(),
          route.type(),
          Optional.of(route.range().start()).filter(key -> key.size() > 0).map(KeySyntax::print),
          route.range().end().map(KeySyntax::print),
          route.node(),
          route.address(),
          route.epoch());
    }
    return listing;
  }

  static Listing loads(List<PartitionLoad> loads) {
    Listing listing =
        new Listing(
            "node",
            "partition",
            "type",
            "active",
            "rps",
            "keys",
            "bytes",
            "queued",
            "p50_micros",
            "p99_micros");
    for (PartitionLoad load : loads) {
      listing.add(
          load.node(),
          load.partition(),
          load.type(),
          load.active(),
          Double.valueOf(String.format(Locale.ROOT, "%.1f", load.requestsPerSecond())),
          load.keys().isPresent() ? Optional.of(load.keys().getAsLong()) : Optional.empty(),
          load.bytes(),
          load.queued(),
          load.p50().toNanos() / 1_000,
          load.p99().toNanos() / 1_000);
    }
    return listing;
  }

  static Listing operations(List<PartitionOperation> operations) {
    Listing listing =
        new Listing(
            "id",
            "kind",
            "state",
            "step",
            "partition",
            "other",
            "node",
            "key",
            "attempts",
            "started",
            "error");
    operations.forEach(
        one ->
            listing.add(
                one.id(),
                one.kind(),
                one.state(),
                one.step(),
                one.partition(),
                one.other(),
                one.node(),
                one.key().map(KeySyntax::print),
                one.attempts(),
                one.started(),
                one.error()));
    return listing;
  }

  static Listing explain(PartitionOperator operator, String partition) {
    PartitionOperator.Explanation known = operator.explain(partition);
    Listing listing = new Listing("partition", "node", "phase", "operation", "reason");
    List<String> reasons = known.reasons().isEmpty() ? List.of("-") : known.reasons();
    reasons.forEach(
        reason ->
            listing.add(partition, known.route().node(), known.phase(), known.operation(), reason));
    return listing;
  }
}
