package dev.tidemark.partitions.internal.manager;

import dev.tidemark.grpc.ChannelOptions;
import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.operations.Hosts;
import dev.tidemark.partitions.internal.protocol.ServerAddresses;
import dev.tidemark.partitions.internal.store.NodeRow;
import dev.tidemark.partitions.internal.wire.PingReply;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Connections of a manager to the servers, one for each address. */
public final class RemoteHosts implements Hosts, AutoCloseable {
  private final ChannelOptions options;
  private final Map<String, GrpcChannel> channels = new ConcurrentHashMap<>();

  /** No connection yet. */
  public RemoteHosts(ChannelOptions options) {
    this.options = options;
  }

  @Override
  public PartitionHost host(String node, NodeRow row) {
    return remote(row);
  }

  private RemoteHost remote(NodeRow row) {
    try {
      return new RemoteHost(
          channels.computeIfAbsent(
              row.address(),
              address -> GrpcChannel.open(ServerAddresses.parse(address, options), options)));
    } catch (DatabaseException unusable) {
      throw unreachable(unusable);
    }
  }

  /** A node says itself where it is, and that may be wrong: it is a trouble of that node only. */
  static PartitionException unreachable(DatabaseException why) {
    return new PartitionException(Reason.BUSY, String.valueOf(why.getMessage()), why);
  }

  @Override
  public Optional<Set<String>> types(String node, NodeRow row) {
    try {
      PingReply reply = remote(row).ping();
      boolean same = reply.getNodeId().equals(node) && reply.getIncarnation() == row.incarnation();
      return same ? Optional.of(Set.copyOf(reply.getActorTypesList())) : Optional.empty();
    } catch (PartitionException unreachable) {
      return Optional.empty();
    }
  }

  /** Ends connections to addresses that no node has any more. */
  public void keepOnly(Set<String> addresses) {
    channels.forEach(
        (address, channel) -> {
          if (!addresses.contains(address) && channels.remove(address, channel)) {
            channel.close();
          }
        });
  }

  @Override
  public void close() {
    channels.values().forEach(GrpcChannel::close);
  }
}
