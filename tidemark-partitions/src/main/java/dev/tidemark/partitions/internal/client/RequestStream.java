package dev.tidemark.partitions.internal.client;

import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.grpc.internal.frames.Sleepers;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.protocol.FrameLimits;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all threads to one server, from the opening of a stream to its loss. Requests of
 * threads that come together leave as one frame. Replies come on a thread of the network, which
 * never waits here.
 */
final class RequestStream implements ClientResponseObserver<RequestFrame, ReplyFrame> {
  private final String address;
  private final Callers callers;
  private final ConcurrentHashMap<Long, SentRequest> waiting = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Set by {@link #beforeStart}, before anybody else knows this stream. */
  private Outbox<SentRequest, RequestFrame> outbox;

  private Callers.Line line;

  private ClientCallStreamObserver<RequestFrame> stream;

  /** Why requests are not answered any more; null while the stream is open. */
  private volatile @Nullable Status lostWith;

  @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart while the stream is being opened
  private RequestStream(String address, Callers callers) {
    this.address = address;
    this.callers = callers;
  }

  /**
   * Opens a stream over {@code channel} for {@code callers}. If the server cannot be reached, the
   * first request fails.
   */
  static RequestStream open(Channel channel, String address, Callers callers) {
    RequestStream opened = new RequestStream(address, callers);
    PartitionsGrpc.newStub(channel).requests(opened);
    return opened;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<RequestFrame> requests) {
    stream = requests;
    outbox =
        new Outbox<>(
            requests,
            SentRequest::size,
            this::frame,
            callers.crowd(),
            Outbox.ENOUGH_ROOM,
            () -> {});
    line = callers.new Line(outbox);
    requests.setOnReadyHandler(outbox::send);
  }

  private RequestFrame frame(List<SentRequest> gathered) {
    RequestFrame.Builder frame = RequestFrame.newBuilder();
    int left = 0;
    for (SentRequest next : gathered) {
      SendRequest message = next.message();
      if (message != null) {
        frame.addRequests(message);
      }
      left += next.leaveLine() ? 1 : 0;
    }
    callers.sent(left);
    return frame.build();
  }

  String address() {
    return address;
  }

  boolean isOpen() {
    return lostWith == null;
  }

  /** Sends {@code request}, together with those of other threads that are about to come. */
  SentRequest send(SendRequest.Builder request) {
    SentRequest sent = new SentRequest(this, request.setNumber(numbers.incrementAndGet()).build());
    if (sent.size() > FrameLimits.REQUEST_BYTES) {
      throw new PartitionException(
          Reason.INVALID,
          "A request has %,d bytes; it may have %,d. Send less at a time"
              .formatted(sent.size(), FrameLimits.REQUEST_BYTES));
    }
    waiting.put(sent.number(), sent);
    callers.begun();
    outbox.enqueue(sent);
    line.joined();
    Status lost = lostWith;
    if (lost != null) {
      forget(sent);
      sent.lost(failure(lost));
    }
    return sent;
  }

  /** Forgets {@code request}: nobody waits for it any more. It may have been sent. */
  void forget(SentRequest request) {
    settled(request.number());
    if (request.leaveLine()) {
      callers.crowd().left(1);
    }
  }

  /** Removes and returns the request with this number, if somebody still waits for it. */
  private @Nullable SentRequest settled(long number) {
    SentRequest sent = waiting.remove(number);
    if (sent != null) {
      callers.ended();
    }
    return sent;
  }

  @Override
  public void onNext(ReplyFrame frame) {
    List<SendReply> replies = new ArrayList<>(frame.getRepliesCount());
    List<SentRequest> answered = new ArrayList<>(frame.getRepliesCount());
    for (SendReply reply : frame.getRepliesList()) {
      SentRequest sent = settled(reply.getNumber());
      if (sent != null) {
        replies.add(reply);
        answered.add(sent);
      }
    }
    // Before the first of them can be back.
    callers.crowd().answered(answered.size());
    Sleepers woken = new Sleepers();
    for (int i = 0; i < answered.size(); i++) {
      answered.get(i).replied(replies.get(i), woken);
    }
    woken.wake();
  }

  @Override
  public void onError(Throwable failure) {
    lost(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    lost(Status.UNAVAILABLE.withDescription("the server at " + address + " has ended the stream"));
  }

  private void lost(Status status) {
    if (lostWith == null) {
      lostWith = status;
    }
    outbox.end(() -> {});
    for (SentRequest sent : waiting.values()) {
      forget(sent);
      sent.lost(failure(status));
    }
  }

  /** Its requests have ids, by which they may be sent again over another stream. */
  private static PartitionException failure(Status status) {
    return Refusals.fromStatus(status.asRuntimeException());
  }

  /** Ends the stream and all its requests. */
  void close() {
    lost(Status.CANCELLED.withDescription("the client has closed the connection to " + address));
    stream.cancel("closed by the client", null);
  }
}
