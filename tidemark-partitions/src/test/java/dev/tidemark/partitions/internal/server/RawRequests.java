package dev.tidemark.partitions.internal.server;

import dev.tidemark.partitions.internal.wire.PartitionsGrpc;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream of requests without a client around it. */
final class RawRequests implements StreamObserver<ReplyFrame> {
  private static final long PATIENCE_SECONDS = 60;

  final BlockingQueue<ReplyFrame> frames = new LinkedBlockingQueue<>();
  final CompletableFuture<Status> end = new CompletableFuture<>();
  private final StreamObserver<RequestFrame> server;
  private long numbers;
  private int framesSeen;

  RawRequests(Channel channel) {
    this.server = PartitionsGrpc.newStub(channel).requests(this);
  }

  /** The reply to one request in a frame of its own. */
  SendReply send(SendRequest request) {
    return sendAll(List.of(request)).getFirst();
  }

  /** The replies to requests in one frame, in the order of the requests. */
  List<SendReply> sendAll(List<SendRequest> requests) {
    RequestFrame.Builder frame = RequestFrame.newBuilder();
    requests.forEach(
        request -> frame.addRequests(request.toBuilder().setNumber(++numbers).build()));
    server.onNext(frame.build());
    Map<Long, SendReply> replies = new TreeMap<>();
    while (replies.size() < requests.size()) {
      nextFrame().getRepliesList().forEach(reply -> replies.put(reply.getNumber(), reply));
    }
    return new ArrayList<>(replies.values());
  }

  void sendFrame(RequestFrame frame) {
    server.onNext(frame);
  }

  /** Frames that were taken from this stream so far. */
  int framesSeen() {
    return framesSeen;
  }

  void finish() {
    server.onCompleted();
  }

  ReplyFrame nextFrame() {
    try {
      ReplyFrame frame = frames.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (frame == null) {
        throw new AssertionError("No replies came; the stream: " + end.getNow(Status.OK));
      }
      framesSeen++;
      return frame;
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
  }

  @Override
  public void onNext(ReplyFrame frame) {
    frames.add(frame);
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }
}
