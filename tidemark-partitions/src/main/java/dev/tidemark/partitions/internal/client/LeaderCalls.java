package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.GetStatusRequest;
import dev.tidemark.partitions.internal.wire.ManagerGrpc;
import dev.tidemark.partitions.internal.wire.ManagerGrpc.ManagerBlockingStub;
import dev.tidemark.partitions.internal.wire.ManagerStatus;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls of the manager that leads. Any manager knows which one that is. */
final class LeaderCalls implements AutoCloseable {
  private static final Duration STATUS = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  /** An operation may take as long as its own deadline; the manager ends the call. */
  private static final Duration PATIENT = Duration.ofMinutes(15);

  private final List<String> managers;
  private final ChannelOptions options;
  private final Duration timeout;
  private final TimeSource time = TimeSource.system();
  private final Map<String, GrpcChannel> channels = new ConcurrentHashMap<>();

  LeaderCalls(List<String> managers, ChannelOptions options, Duration timeout) {
    if (managers.isEmpty()) {
      throw UsageException.invalidOption("An operator needs the address of at least one manager");
    }
    managers.forEach(address -> ServerAddresses.check("a manager", address));
    this.managers = List.copyOf(managers);
    this.options = WireRoutes.forTables(options);
    this.timeout = timeout;
  }

  /** A call that is over soon. */
  <T> T call(Function<ManagerBlockingStub, T> method) {
    return call(timeout, method);
  }

  /** A call that waits for an operation. Repeated with another leader, so it must be repeatable. */
  <T> T callPatiently(Function<ManagerBlockingStub, T> method) {
    return call(PATIENT, method);
  }

  private <T> T call(Duration limit, Function<ManagerBlockingStub, T> method) {
    long deadline = time.nanos() + timeout.toNanos();
    while (true) {
      try {
        return method.apply(stub(leader(), limit));
      } catch (StatusRuntimeException failure) {
        PartitionException why = Refusals.fromStatus(failure);
        // The outcome of the call is unknown because its manager ended. Anything else is an answer.
        if (why.reason() != Reason.IN_DOUBT || time.nanos() > deadline) {
          throw why;
        }
      } catch (UnavailableException nobodyLeads) {
        if (time.nanos() > deadline) {
          throw nobodyLeads;
        }
      }
      pause();
    }
  }

  private String leader() {
    StringBuilder seen = new StringBuilder();
    for (String manager : managers) {
      try {
        ManagerStatus status =
            stub(manager, STATUS).getStatus(GetStatusRequest.getDefaultInstance());
        if (status.getLeading()) {
          return manager;
        }
        if (!status.getLeaderAddress().isEmpty() && leads(status.getLeaderAddress())) {
          return status.getLeaderAddress();
        }
        seen.append(' ').append(manager).append(": does not lead.");
      } catch (StatusRuntimeException failure) {
        seen.append(' ')
            .append(channel(manager).failure(failure.getStatus(), failure).getMessage());
      } catch (DatabaseException failure) {
        seen.append(' ').append(manager).append(": ").append(failure.getMessage()).append('.');
      }
    }
    throw UnavailableException.unreachable(
        "No manager leads, or none can be reached." + seen, null);
  }

  private boolean leads(String address) {
    try {
      return stub(address, STATUS).getStatus(GetStatusRequest.getDefaultInstance()).getLeading();
    } catch (StatusRuntimeException | DatabaseException gone) {
      return false;
    }
  }

  private ManagerBlockingStub stub(String address, Duration limit) {
    return ManagerGrpc.newBlockingStub(channel(address).channelNow())
        .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private GrpcChannel channel(String address) {
    return channels.computeIfAbsent(
        address, any -> GrpcChannel.open(ServerAddresses.parse(any, options), options));
  }

  private void pause() {
    try {
      time.sleep(LOOK_AGAIN);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while a manager was asked", interrupt);
    }
  }

  @Override
  public void close() {
    channels.values().forEach(GrpcChannel::close);
  }
}
