package dev.tidemark.partitions.internal.protocol;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.wire.RouteEntry;
import dev.tidemark.partitions.internal.wire.RoutingUpdate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Routes and routing tables on the wire: whole, or as what changed since another version. */
public final class WireRoutes {
  /** The longest table that is taken from a manager: some six hundred thousand partitions. */
  private static final int TABLE_BYTES = 64 << 20;

  private WireRoutes() {}

  /** {@code options} for a channel to a manager, whose tables may be longer than other messages. */
  public static ChannelOptions forTables(ChannelOptions options) {
    return options.withMessageBytes(Math.max(options.messageBytes(), TABLE_BYTES));
  }

  /** The whole table. */
  public static RoutingUpdate whole(RoutingTable table) {
    return update(table, 0, table.routes()).build();
  }

  /** What changed from {@code base} to {@code table}. */
  public static RoutingUpdate delta(RoutingTable base, RoutingTable table) {
    List<Route> changed =
        table.routes().stream()
            .filter(route -> !Optional.of(route).equals(base.partition(route.partition())))
            .toList();
    RoutingUpdate.Builder update = update(table, base.version(), changed);
    base.routes().stream()
        .map(Route::partition)
        .filter(partition -> table.partition(partition).isEmpty())
        .forEach(update::addRemovedPartitionIds);
    return update.build();
  }

  /** The table after {@code update}; empty if it changes a table that the receiver has not. */
  public static Optional<RoutingTable> apply(RoutingTable current, RoutingUpdate update) {
    List<Route> sent = update.getEntriesList().stream().map(WireRoutes::fromWire).toList();
    if (update.getBaseVersion() == 0) {
      return Optional.of(RoutingTable.of(update.getVersion(), sent));
    }
    if (update.getBaseVersion() != current.version()) {
      return Optional.empty();
    }
    Map<String, Route> routes = new HashMap<>();
    current.routes().forEach(route -> routes.put(route.partition(), route));
    update.getRemovedPartitionIdsList().forEach(routes::remove);
    sent.forEach(route -> routes.put(route.partition(), route));
    return Optional.of(RoutingTable.of(update.getVersion(), routes.values()));
  }

  private static RoutingUpdate.Builder update(
      RoutingTable table, long base, Collection<Route> routes) {
    RoutingUpdate.Builder update =
        RoutingUpdate.newBuilder().setVersion(table.version()).setBaseVersion(base);
    routes.forEach(route -> update.addEntries(toWire(route)));
    return update;
  }

  /** One route. */
  public static RouteEntry toWire(Route route) {
    RouteEntry.Builder entry =
        RouteEntry.newBuilder()
            .setPartitionId(route.partition())
            .setActorType(route.type())
            .setStart(bytes(route.range().start()))
            .setNodeId(route.node())
            .setNodeAddress(route.address())
            .setEpoch(route.epoch());
    route.range().end().ifPresent(end -> entry.setHasEnd(true).setEnd(bytes(end)));
    return entry.build();
  }

  /** One route. */
  public static Route fromWire(RouteEntry entry) {
    return new Route(
        entry.getPartitionId(),
        entry.getActorType(),
        range(entry.getStart(), entry.getHasEnd(), entry.getEnd()),
        entry.getNodeId(),
        entry.getNodeAddress(),
        entry.getEpoch());
  }

  /** A range from its parts. */
  public static PartitionRange range(ByteString start, boolean hasEnd, ByteString end) {
    return new PartitionRange(key(start), hasEnd ? Optional.of(key(end)) : Optional.empty());
  }

  /** A key from its bytes. */
  public static Key key(ByteString bytes) {
    return Key.wrap(bytes.toByteArray());
  }

  /** The bytes of a key. */
  public static ByteString bytes(Key key) {
    return ByteString.copyFrom(key.unsafeBytes());
  }
}
