package dev.tidemark.partitions.internal.manager;

import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.protocol.WireRoutes;
import dev.tidemark.partitions.internal.wire.PartitionControlGrpc;
import dev.tidemark.partitions.internal.wire.PartitionControlGrpc.PartitionControlBlockingStub;
import dev.tidemark.partitions.internal.wire.PingReply;
import dev.tidemark.partitions.internal.wire.PingRequest;
import dev.tidemark.partitions.internal.wire.PrepareRequest;
import dev.tidemark.partitions.internal.wire.QuiesceRequest;
import dev.tidemark.partitions.internal.wire.RefreshRequest;
import dev.tidemark.partitions.internal.wire.ResumeRequest;
import dev.tidemark.partitions.internal.wire.StageMergeRequest;
import dev.tidemark.partitions.internal.wire.StageSplitRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A server that is reached over the network. Each call has a deadline; nothing is repeated here.
 */
final class RemoteHost implements PartitionHost {
  private static final Duration QUICK = Duration.ofSeconds(2);
  private static final Duration SHORT = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final GrpcChannel channel;

  RemoteHost(GrpcChannel channel) {
    this.channel = channel;
  }

  private <T> T call(Duration limit, Function<PartitionControlBlockingStub, T> method) {
    try {
      return method.apply(
          PartitionControlGrpc.newBlockingStub(channel.channelNow())
              .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (StatusRuntimeException failure) {
      throw Refusals.fromStatus(failure);
    } catch (DatabaseException unreachable) { // an unknown host, or plain text where it may not go
      throw RemoteHosts.unreachable(unreachable);
    }
  }

  PingReply ping() {
    return call(QUICK, stub -> stub.ping(PingRequest.getDefaultInstance()));
  }

  @Override
  public long prepare(String partition) {
    PrepareRequest request = PrepareRequest.newBuilder().setPartitionId(partition).build();
    return call(LONG, stub -> stub.prepare(request)).getLastEntry();
  }

  @Override
  public long quiesce(String partition, long epoch, Duration hold) {
    QuiesceRequest request =
        QuiesceRequest.newBuilder()
            .setPartitionId(partition)
            .setEpoch(epoch)
            .setHoldMicros(micros(hold))
            .build();
    return call(SHORT, stub -> stub.quiesce(request)).getLastEntry();
  }

  @Override
  public void resume(String partition) {
    ResumeRequest request = ResumeRequest.newBuilder().setPartitionId(partition).build();
    call(QUICK, stub -> stub.resume(request));
  }

  @Override
  public Key stageSplit(
      String partition,
      long epoch,
      String upper,
      String operation,
      Optional<Key> at,
      Duration hold) {
    StageSplitRequest.Builder request =
        StageSplitRequest.newBuilder()
            .setPartitionId(partition)
            .setEpoch(epoch)
            .setUpperPartitionId(upper)
            .setOperationId(operation)
            .setHoldMicros(micros(hold));
    at.ifPresent(key -> request.setHasSplitKey(true).setSplitKey(WireRoutes.bytes(key)));
    return WireRoutes.key(call(LONG, stub -> stub.stageSplit(request.build())).getSplitKey());
  }

  @Override
  public void stageMerge(
      String lower,
      long lowerEpoch,
      String upper,
      long upperEpoch,
      String operation,
      Duration hold) {
    StageMergeRequest request =
        StageMergeRequest.newBuilder()
            .setLowerPartitionId(lower)
            .setLowerEpoch(lowerEpoch)
            .setUpperPartitionId(upper)
            .setUpperEpoch(upperEpoch)
            .setOperationId(operation)
            .setHoldMicros(micros(hold))
            .build();
    call(LONG, stub -> stub.stageMerge(request));
  }

  @Override
  public void refresh(List<String> partitions) {
    RefreshRequest request = RefreshRequest.newBuilder().addAllPartitionIds(partitions).build();
    call(LONG, stub -> stub.refresh(request));
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
