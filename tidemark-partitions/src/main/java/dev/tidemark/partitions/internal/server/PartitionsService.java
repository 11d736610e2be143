package dev.tidemark.partitions.internal.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionMetrics;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.EncodedPage;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.log.RequestId;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.ScanItem;
import dev.tidemark.partitions.internal.wire.ScanPage;
import dev.tidemark.partitions.internal.wire.ScanReply;
import dev.tidemark.partitions.internal.wire.ScanRequest;
import dev.tidemark.partitions.internal.wire.SendBatchReply;
import dev.tidemark.partitions.internal.wire.SendBatchRequest;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What clients ask of a server. Runs on virtual threads. */
final class PartitionsService extends PartitionsGrpc.PartitionsImplBase {
  private static final int MAX_BATCH = 10_000;
  private static final int MAX_ITEMS = 10_000;
  private static final int DEFAULT_ITEMS = 1_000;

  private final Supplier<Engine> engine;
  private final Duration longest;
  private final PartitionMetrics metrics;
  private final TimeSource time;

  PartitionsService(
      Supplier<Engine> engine, Duration longest, PartitionMetrics metrics, TimeSource time) {
    this.engine = engine;
    this.longest = longest;
    this.metrics = metrics;
    this.time = time;
  }

  @Override
  public void send(SendRequest request, StreamObserver<SendReply> observer) {
    long began = time.nanos();
    observer.onNext(
        reply(request, began, () -> begin(request).apply(timeout(request.getTimeoutMicros()))));
    observer.onCompleted();
  }

  @Override
  public void sendBatch(SendBatchRequest request, StreamObserver<SendBatchReply> observer) {
    SendBatchReply.Builder replies = SendBatchReply.newBuilder();
    if (request.getRequestsCount() > MAX_BATCH) {
      SendReply refused =
          refused(
              new PartitionException(
                  Reason.INVALID,
                  "A batch of %,d requests is too large; it may have %,d"
                      .formatted(request.getRequestsCount(), MAX_BATCH)));
      request.getRequestsList().forEach(each -> replies.addReplies(refused));
    } else {
      long began = time.nanos();
      List<Supplier<byte[]>> begun = new ArrayList<>();
      request.getRequestsList().forEach(each -> begun.add(beginOne(each)));
      for (int i = 0; i < begun.size(); i++) {
        replies.addReplies(reply(request.getRequests(i), began, begun.get(i)));
      }
    }
    observer.onNext(replies.build());
    observer.onCompleted();
  }

  /** Puts a request of a batch in line; a refusal waits until its answer is asked for. */
  private Supplier<byte[]> beginOne(SendRequest request) {
    try {
      Function<Duration, byte[]> begun = begin(request);
      return () -> begun.apply(timeout(request.getTimeoutMicros()));
    } catch (PartitionException refused) {
      return () -> {
        throw refused;
      };
    }
  }

  private Function<Duration, byte[]> begin(SendRequest request) {
    return engine
            .get()
            .begin(
                request.getActorType(),
                request.getPartitionId(),
                request.getEpoch(),
                Key.wrap(request.getKey().toByteArray()),
                id(request),
                request.getPayload().toByteArray())
        ::await;
  }

  private static Optional<RequestId> id(SendRequest request) {
    if (!request.hasRequestId() || request.getReadOnly()) {
      return Optional.empty();
    }
    ByteString client = request.getRequestId().getClient();
    if (client.isEmpty() || client.size() > RequestId.MAX_CLIENT) {
      throw new PartitionException(
          Reason.INVALID,
          "The client of a request id has %d bytes; it must have 1 to %d"
              .formatted(client.size(), RequestId.MAX_CLIENT));
    }
    return Optional.of(
        new RequestId(
            Key.wrap(client.toByteArray()),
            request.getRequestId().getSequence(),
            request.getRequestId().getSettledBelow()));
  }

  private SendReply reply(SendRequest request, long began, Supplier<byte[]> answer) {
    try {
      byte[] payload = answer.get();
      ended(request.getActorType(), Optional.empty(), began);
      return SendReply.newBuilder().setPayload(UnsafeByteOperations.unsafeWrap(payload)).build();
    } catch (PartitionException failure) {
      ended(request.getActorType(), Optional.of(failure.reason()), began);
      return refused(failure);
    }
  }

  private void ended(String type, Optional<Reason> failure, long began) {
    metrics.requestEnded(type, failure, Duration.ofNanos(time.nanos() - began));
  }

  private static SendReply refused(PartitionException failure) {
    return SendReply.newBuilder().setRefusal(Refusals.toWire(failure)).build();
  }

  @Override
  public void scan(ScanRequest request, StreamObserver<ScanReply> observer) {
    long began = time.nanos();
    ScanReply.Builder reply = ScanReply.newBuilder();
    try {
      reply.setPage(
          toWire(
              engine
                  .get()
                  .scan(
                      request.getActorType(),
                      request.getPartitionId(),
                      request.getEpoch(),
                      range(request),
                      limit(request),
                      request.getPayload().toByteArray(),
                      timeout(request.getTimeoutMicros()))));
      ended(request.getActorType(), Optional.empty(), began);
    } catch (PartitionException failure) {
      ended(request.getActorType(), Optional.of(failure.reason()), began);
      reply.setRefusal(Refusals.toWire(failure));
    }
    observer.onNext(reply.build());
    observer.onCompleted();
  }

  private static PartitionRange range(ScanRequest request) {
    Key start = Key.wrap(request.getStart().toByteArray());
    Optional<Key> end =
        request.getHasEnd()
            ? Optional.of(Key.wrap(request.getEnd().toByteArray()))
            : Optional.empty();
    if (end.isPresent() && end.get().compareTo(start) <= 0) {
      throw new PartitionException(
          Reason.INVALID, "The range from %s to %s holds no key".formatted(start, end.get()));
    }
    return new PartitionRange(start, end);
  }

  private static int limit(ScanRequest request) {
    int limit = request.getLimit();
    return limit <= 0 ? DEFAULT_ITEMS : Math.min(limit, MAX_ITEMS);
  }

  private static ScanPage toWire(EncodedPage page) {
    ScanPage.Builder wire = ScanPage.newBuilder();
    for (EncodedPage.Item item : page.items()) {
      wire.addItems(
          ScanItem.newBuilder()
              .setKey(ByteString.copyFrom(item.key().unsafeBytes()))
              .setValue(UnsafeByteOperations.unsafeWrap(item.value())));
    }
    page.next()
        .ifPresent(
            next ->
                wire.setHasContinuation(true)
                    .setContinuation(ByteString.copyFrom(next.unsafeBytes())));
    return wire.build();
  }

  private Duration timeout(long micros) {
    Duration wish = Duration.ofNanos(Math.multiplyExact(Math.clamp(micros, 0, 1L << 50), 1_000L));
    return wish.isZero() || wish.compareTo(longest) > 0 ? longest : wish;
  }
}
