package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.Route;
import dev.tidemark.partitions.RoutingTable;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc.PartitionsBlockingStub;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Connections of a client to servers, one for each address. */
final class Connections implements AutoCloseable {
  private final ChannelOptions options;
  private final Map<String, ServerConnection> servers = new ConcurrentHashMap<>();
  private final Callers callers = new Callers();
  private final AtomicLong pruned = new AtomicLong();
  private volatile boolean closed;

  Connections(ChannelOptions options) {
    this.options = options;
  }

  /** Calls the server at {@code address}, once. */
  <T> T call(String address, Duration limit, Function<PartitionsBlockingStub, T> method) {
    return reach(
        address,
        server ->
            method.apply(
                PartitionsGrpc.newBlockingStub(server.channelNow())
                    .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS)));
  }

  /** Sends {@code request} to the server at {@code address}, once; its reply is asked for later. */
  SentRequest send(String address, SendRequest.Builder request) {
    return reach(address, server -> server.stream().send(request));
  }

  private <T> T reach(String address, Function<ServerConnection, T> use) {
    try {
      ServerConnection server =
          servers.computeIfAbsent(address, any -> new ServerConnection(any, options, callers));
      if (!closed) {
        return use.apply(server);
      }
      // A request that the end of the client took by surprise tries again.
      server.close();
    } catch (StatusRuntimeException failure) {
      throw Refusals.fromStatus(failure);
    } catch (DatabaseException unknownHost) {
      throw new PartitionException(
          Reason.BUSY, String.valueOf(unknownHost.getMessage()), unknownHost);
    }
    throw UsageException.invalidOperation("The client is closed");
  }

  /** Ends the connection to {@code address} if it is in no route of {@code table}. */
  void closeUnused(String address, RoutingTable table) {
    if (table.routes().stream().noneMatch(route -> route.address().equals(address))) {
      ServerConnection server = servers.remove(address);
      if (server != null) {
        server.close();
      }
    }
  }

  /** Ends connections to servers that are in no route any more. */
  void keepOnly(RoutingTable table) {
    long before = pruned.get();
    if (table.version() > before && pruned.compareAndSet(before, table.version())) {
      Set<String> used = table.routes().stream().map(Route::address).collect(Collectors.toSet());
      servers.forEach(
          (address, server) -> {
            if (!used.contains(address) && servers.remove(address, server)) {
              server.close();
            }
          });
    }
  }

  @Override
  public void close() {
    closed = true;
    servers.values().forEach(ServerConnection::close);
  }
}
