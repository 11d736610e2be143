package dev.tidemark.partitions.internal.server;

import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.LeaderRow;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import dev.tidemark.partitions.internal.wire.DrainNodeRequest;
import dev.tidemark.partitions.internal.wire.GetStatusRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.ManagerGrpc.ManagerBlockingStub;
import dev.tidemark.partitions.internal.wire.RequestOptions;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Has the leading manager move a node's partitions away before it ends. The drain is an operation,
 * which the next leader carries on. So nothing here depends on one manager: whoever leads is asked
 * until the operation is written down, and from then on its row tells how it ends.
 */
final class Departure {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final Duration LONGEST_CALL = Duration.ofSeconds(2);

  private final Control control;
  private final ServerSettings settings;
  private final String operation = "op-" + UUID.randomUUID();

  Departure(Control control, ServerSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  /**
   * Waits until the node is empty, the drain has failed or the time for it is over. Partitions that
   * are left are failed over later.
   */
  void drain() {
    long deadline = control.time().nanos() + settings.drainTimeout().toNanos();
    String open = "nobody was asked";
    while (true) {
      Duration left = Duration.ofNanos(deadline - control.time().nanos());
      if (!left.isPositive()) {
        failed("its time was over, and " + open);
        return;
      }
      try {
        Optional<OperationRow> row = find();
        if (row.isPresent() && row.get().status().isFinal()) {
          ended(row.get());
          return;
        }
        open =
            row.isPresent()
                ? "the drain was at: " + row.get().step()
                : ask(left).orElse("the manager did not write the drain down");
      } catch (DatabaseException outage) {
        open = String.valueOf(outage.getMessage());
      } catch (PartitionException refused) {
        failed(String.valueOf(refused.getMessage()));
        return;
      }
      if (!pause()) {
        failed("it was interrupted");
        return;
      }
    }
  }

  private Optional<OperationRow> find() {
    return control
        .rows()
        .read(rows -> rows.get(ControlKeys.operation(operation)).map(OperationRow::decode));
  }

  private void ended(OperationRow row) {
    if (row.status() != Status.DONE) {
      failed(row.error().orElse("the drain is " + row.status()));
    }
  }

  private void failed(String why) {
    LOG.log(
        Level.WARNING,
        "Node %s could not give its partitions away; they are taken over when it has left: %s"
            .formatted(settings.node(), why));
  }

  private boolean pause() {
    try {
      control.time().sleep(LOOK_AGAIN);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Asks the manager that leads, or led last; why it did not begin, if so.
   *
   * @throws PartitionException if the manager that leads refuses, or none has ever led
   */
  private Optional<String> ask(Duration left) {
    LeaderRow leader =
        control
            .rows()
            .read(rows -> rows.get(ControlKeys.LEADER).map(LeaderRow::decode))
            .orElseThrow(
                () ->
                    new PartitionException(Reason.REFUSED, "no manager has ever led this cluster"));
    String address = leader.address();
    try (GrpcChannel channel =
        GrpcChannel.open(ServerAddresses.parse(address, settings.channel()), settings.channel())) {
      ManagerBlockingStub manager = ManagerGrpc.newBlockingStub(channel.channelNow());
      return begin(manager, left)
          .map(why -> "the manager at %s says: %s".formatted(address, why.getMessage()));
    }
  }

  private Optional<PartitionException> begin(ManagerBlockingStub manager, Duration left) {
    try {
      limited(manager, left)
          .drainNode(
              DrainNodeRequest.newBuilder()
                  .setNodeId(settings.node())
                  .setOptions(
                      RequestOptions.newBuilder()
                          .setOperationId(operation)
                          .setDetached(true)
                          .setForce(true)
                          .setDeadlineMicros(TimeUnit.NANOSECONDS.toMicros(left.toNanos())))
                  .build());
      return Optional.empty();
    } catch (StatusRuntimeException failure) {
      PartitionException why = Refusals.fromStatus(failure);
      if (isFinal(why.reason()) && leads(manager, left)) {
        throw why;
      }
      return Optional.of(why);
    }
  }

  private static boolean isFinal(Reason reason) {
    return reason == Reason.REFUSED || reason == Reason.INVALID || reason == Reason.NOT_FOUND;
  }

  /** One that does not lead refuses everything; the next one is asked then. */
  private static boolean leads(ManagerBlockingStub manager, Duration left) {
    try {
      return limited(manager, left).getStatus(GetStatusRequest.getDefaultInstance()).getLeading();
    } catch (StatusRuntimeException gone) {
      // It refuses the question too: another token, and not another leader, would help.
      return Refusals.fromStatus(gone).reason() == Reason.REFUSED;
    }
  }

  private static ManagerBlockingStub limited(ManagerBlockingStub manager, Duration left) {
    Duration limit = left.compareTo(LONGEST_CALL) < 0 ? left : LONGEST_CALL;
    return manager.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
