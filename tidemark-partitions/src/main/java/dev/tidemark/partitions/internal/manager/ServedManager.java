package dev.tidemark.partitions.internal.manager;

import dev.tidemark.grpc.Address;
import dev.tidemark.grpc.GrpcListener;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServedApi;
import dev.tidemark.partitions.ManagerStatistics;
import dev.tidemark.partitions.PartitionManagerOptions;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.control.Control;
import dev.tidemark.partitions.internal.metrics.CountedMetrics;
import dev.tidemark.partitions.internal.store.ClusterFormat;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.OptionalLong;

/**
 * A manager with its port. The port opens first, so that the address is known and reads are served
 * before the election; at the end the manager resigns first, then its streams end.
 */
public final class ServedManager implements AutoCloseable {
  private static final int MESSAGE_BYTES = 16 << 20;

  private final GrpcListener listener;
  private final ManagerCore core;

  private ServedManager(GrpcListener listener, ManagerCore core) {
    this.listener = listener;
    this.core = core;
  }

  /**
   * Opens the port and stands for election.
   *
   * @throws dev.tidemark.partitions.PartitionException CORRUPT if the cluster is of a format that
   *     this version does not know
   */
  public static ServedManager open(Control control, PartitionManagerOptions options) {
    ManagerCore core =
        new ManagerCore(
            control,
            options.id(),
            options.leaderLease(),
            options.channels(),
            new Leading.Settings(
                options.actorTypes(),
                options.policy(),
                options.nodeLease(),
                options.openAdmission(),
                new CountedMetrics(options.metrics())));
    try {
      control.database().run(tx -> ClusterFormat.check(tx, control.keys()));
      GrpcListener listener = GrpcListener.open(api(core), options.listener());
      try {
        core.campaign(options.advertised().orElse(listener.address().toString()));
        return new ServedManager(listener, core);
      } catch (RuntimeException | Error failure) {
        listener.close();
        throw failure;
      }
    } catch (RuntimeException | Error failure) {
      core.close();
      throw failure;
    }
  }

  private static ServedApi api(ManagerCore core) {
    ServedApi api =
        ServedApi.of(SharedUpdates.in(new OperatorService(core)), Role.OPERATOR)
            .withMessageBytes(MESSAGE_BYTES)
            .withRole(ManagerGrpc.getReportStatsMethod(), Role.NODE)
            .withDrain(patience -> core.streams().end());
    List<MethodDescriptor<?, ?>> reads =
        List.of(
            ManagerGrpc.getWatchRoutingMethod(),
            ManagerGrpc.getGetOperationMethod(),
            ManagerGrpc.getListOperationsMethod(),
            ManagerGrpc.getListMembersMethod(),
            ManagerGrpc.getGetClusterStatsMethod(),
            ManagerGrpc.getGetPolicyMethod(),
            ManagerGrpc.getExplainPartitionMethod(),
            ManagerGrpc.getGetStatusMethod());
    for (MethodDescriptor<?, ?> read : reads) {
      api = api.withRole(read, Role.READ);
    }
    return api;
  }

  /** Where it is reached, as seen from this machine. */
  public Address address() {
    return listener.address();
  }

  /** Its term, if it leads. */
  public OptionalLong term() {
    return core.term().map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /** Numbers of now. */
  public ManagerStatistics statistics() {
    return core.statistics();
  }

  /** The newest table that it knows. */
  public RoutingTable table() {
    return core.table();
  }

  @Override
  public void close() {
    core.resign();
    listener.close();
    core.close();
  }
}
