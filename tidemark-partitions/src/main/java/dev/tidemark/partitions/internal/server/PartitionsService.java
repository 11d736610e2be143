package dev.tidemark.partitions.internal.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.grpc.Caller;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.engine.EncodedPage;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.ScanItem;
import dev.tidemark.partitions.internal.wire.ScanPage;
import dev.tidemark.partitions.internal.wire.ScanReply;
import dev.tidemark.partitions.internal.wire.ScanRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** What clients ask of a server. Runs on virtual threads. */
final class PartitionsService extends PartitionsGrpc.PartitionsImplBase {
  private static final int MAX_ITEMS = 10_000;
  private static final int DEFAULT_ITEMS = 1_000;

  private final ServedRequests requests;
  private final RequestSessions sessions;

  PartitionsService(ServedRequests requests, RequestSessions sessions) {
    this.requests = requests;
    this.sessions = sessions;
  }

  @Override
  public StreamObserver<RequestFrame> requests(StreamObserver<ReplyFrame> client) {
    RequestSession session =
        new RequestSession(
            sessions, requests, Caller.current(), (ServerCallStreamObserver<ReplyFrame>) client);
    session.start();
    return session;
  }

  @Override
  public void scan(ScanRequest request, StreamObserver<ScanReply> observer) {
    long began = requests.nanos();
    ScanReply.Builder reply = ScanReply.newBuilder();
    try {
      reply.setPage(
          toWire(
              requests
                  .engine()
                  .scan(
                      request.getActorType(),
                      request.getPartitionId(),
                      request.getEpoch(),
                      range(request),
                      limit(request),
                      request.getPayload().toByteArray(),
                      requests.limit(request.getTimeoutMicros()))));
      requests.ended(request.getActorType(), Optional.empty(), began);
    } catch (PartitionException failure) {
      requests.ended(request.getActorType(), Optional.of(failure.reason()), began);
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
}
