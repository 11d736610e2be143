package dev.tidemark.partitions.internal.server;

import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.LeaderRow;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Has the leading manager move a node's partitions away before it ends. */
final class Departure {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final Control control;
  private final ServerSettings settings;

  Departure(Control control, ServerSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  /**
   * Waits until the node is empty or the time for that is over. Partitions that are left are failed
   * over later.
   */
  void drain() {
    try {
      Optional<LeaderRow> leader =
          control.rows().read(rows -> rows.get(ControlKeys.LEADER).map(LeaderRow::decode));
      if (leader.isPresent()) {
        ask(leader.get());
      }
    } catch (StatusRuntimeException | DatabaseException | PartitionException failure) {
      LOG.log(
          Level.WARNING,
          "Node %s could not give its partitions away; they are taken over when it has left: %s"
              .formatted(settings.node(), failure.getMessage()));
    }
  }

  private void ask(LeaderRow leader) {
    long nanos = settings.drainTimeout().toNanos();
    try (GrpcChannel channel =
        GrpcChannel.open(
            ServerAddresses.parse(leader.address(), settings.channel()), settings.channel())) {
      ManagerGrpc.newBlockingStub(channel.channelNow())
          .withDeadlineAfter(nanos, TimeUnit.NANOSECONDS)
          .drainNode(
              DrainNodeRequest.newBuilder()
                  .setNodeId(settings.node())
                  .setOptions(
                      RequestOptions.newBuilder()
                          .setForce(true)
                          .setDeadlineMicros(TimeUnit.NANOSECONDS.toMicros(nanos)))
                  .build());
    }
  }
}
