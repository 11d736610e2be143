package dev.tidemark.partitions.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.internal.engine.PartitionHost;
import dev.tidemark.partitions.internal.log.StoreFailures;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.CommandReply;
import dev.tidemark.partitions.internal.wire.LogPosition;
import dev.tidemark.partitions.internal.wire.PartitionControlGrpc;
import dev.tidemark.partitions.internal.wire.PingReply;
import dev.tidemark.partitions.internal.wire.PingRequest;
import dev.tidemark.partitions.internal.wire.PrepareRequest;
import dev.tidemark.partitions.internal.wire.QuiesceRequest;
import dev.tidemark.partitions.internal.wire.RefreshRequest;
import dev.tidemark.partitions.internal.wire.ResumeRequest;
import dev.tidemark.partitions.internal.wire.StageMergeRequest;
import dev.tidemark.partitions.internal.wire.StageSplitReply;
import dev.tidemark.partitions.internal.wire.StageSplitRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the manager asks of a server. Runs on virtual threads. */
final class ControlService extends PartitionControlGrpc.PartitionControlImplBase {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");
  private static final Duration LONGEST_HOLD = Duration.ofMinutes(5);

  private final Supplier<Incarnation> current;

  ControlService(Supplier<Incarnation> current) {
    this.current = current;
  }

  private <T> void answer(StreamObserver<T> observer, Function<PartitionHost, T> step) {
    try {
      observer.onNext(step.apply(current.get().host()));
      observer.onCompleted();
    } catch (PartitionException failure) {
      observer.onError(Refusals.toStatus(failure));
    } catch (RuntimeException failure) {
      LOG.log(System.Logger.Level.WARNING, "A command of the manager failed", failure);
      observer.onError(Refusals.toStatus(StoreFailures.of("The command failed", failure)));
    } catch (Error failure) {
      observer.onError(Status.INTERNAL.withDescription(failure.toString()).asRuntimeException());
      throw failure;
    }
  }

  private static CommandReply done() {
    return CommandReply.getDefaultInstance();
  }

  private static LogPosition position(long lsn) {
    return LogPosition.newBuilder().setLastEntry(lsn).build();
  }

  private static Duration hold(long micros) {
    Duration wish = Duration.ofNanos(Math.clamp(micros, 0, 1L << 50) * 1_000);
    return wish.compareTo(LONGEST_HOLD) > 0 ? LONGEST_HOLD : wish;
  }

  @Override
  public void ping(PingRequest request, StreamObserver<PingReply> observer) {
    answer(
        observer,
        host -> {
          Incarnation now = current.get();
          return PingReply.newBuilder()
              .setNodeId(now.node())
              .setIncarnation(now.number())
              .addAllActorTypes(now.types())
              .build();
        });
  }

  @Override
  public void prepare(PrepareRequest request, StreamObserver<LogPosition> observer) {
    answer(observer, host -> position(host.prepare(request.getPartitionId())));
  }

  @Override
  public void quiesce(QuiesceRequest request, StreamObserver<LogPosition> observer) {
    answer(
        observer,
        host ->
            position(
                host.quiesce(
                    request.getPartitionId(), request.getEpoch(), hold(request.getHoldMicros()))));
  }

  @Override
  public void resume(ResumeRequest request, StreamObserver<CommandReply> observer) {
    answer(
        observer,
        host -> {
          host.resume(request.getPartitionId());
          return done();
        });
  }

  @Override
  public void stageSplit(StageSplitRequest request, StreamObserver<StageSplitReply> observer) {
    answer(
        observer,
        host -> {
          Optional<Key> wish =
              request.getHasSplitKey()
                  ? Optional.of(Key.wrap(request.getSplitKey().toByteArray()))
                  : Optional.empty();
          Key at =
              host.stageSplit(
                  request.getPartitionId(),
                  request.getEpoch(),
                  request.getUpperPartitionId(),
                  request.getOperationId(),
                  wish,
                  hold(request.getHoldMicros()));
          return StageSplitReply.newBuilder()
              .setSplitKey(ByteString.copyFrom(at.toByteArray()))
              .build();
        });
  }

  @Override
  public void stageMerge(StageMergeRequest request, StreamObserver<CommandReply> observer) {
    answer(
        observer,
        host -> {
          host.stageMerge(
              request.getLowerPartitionId(),
              request.getLowerEpoch(),
              request.getUpperPartitionId(),
              request.getUpperEpoch(),
              request.getOperationId(),
              hold(request.getHoldMicros()));
          return done();
        });
  }

  @Override
  public void refresh(RefreshRequest request, StreamObserver<CommandReply> observer) {
    answer(
        observer,
        host -> {
          host.refresh(request.getPartitionIdsList());
          return done();
        });
  }
}
