package dev.tidemark.partitions.internal.server;

import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.grpc.internal.frames.StreamEnd;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.engine.Ended;
import dev.tidemark.partitions.internal.engine.Engine;
import dev.tidemark.partitions.internal.protocol.FrameLimits;
import dev.tidemark.partitions.internal.protocol.Refusals;
import dev.tidemark.partitions.internal.wire.ReplyFrame;
import dev.tidemark.partitions.internal.wire.RequestFrame;
import dev.tidemark.partitions.internal.wire.SendReply;
import dev.tidemark.partitions.internal.wire.SendRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * Who works on what
 *
 * gRPC calls this object from one virtual thread at a time. It enqueues the requests of a frame
 * with their partitions, whose own threads carry them out, so that a slow actor holds up no other
 * one. The thread that ends requests (a committer, a partition's thread) enqueues the replies here,
 * and sends them when all that ended together are there: they leave as one frame.
 *
 * The next frame is requested while few enough requests, and bytes of them, are at work, and few
 * enough bytes of replies are queued. So the server does not read from a client that does not read.
 */

/** One stream of requests from a client. */
final class RequestSession implements StreamObserver<RequestFrame> {
  private static final int REQUESTS_MAX = 8_192;
  private static final long BYTES_MAX = 16L << 20;

  /** Ticks after which a client that takes none of its replies is cut off. */
  private static final int PATIENCE = 100;

  private final RequestSessions all;
  private final ServedRequests requests;
  private final ServerCallStreamObserver<ReplyFrame> client;
  private final Outbox<SendReply, ReplyFrame> outbox;
  private final StreamEnd end;
  private final Set<Request> atWork = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesAtWork = new AtomicLong();
  private final AtomicBoolean wantsFrame = new AtomicBoolean();
  private volatile boolean leaving;
  private volatile boolean clientDone;

  // Used by the ticker only.
  private long framesSeen;
  private int ticksWithoutProgress;

  RequestSession(
      RequestSessions all,
      ServedRequests requests,
      Caller caller,
      ServerCallStreamObserver<ReplyFrame> client) {
    this.all = all;
    this.requests = requests;
    this.client = client;
    this.outbox =
        new Outbox<>(
            client,
            MessageLite::getSerializedSize,
            RequestSession::frame,
            new Crowd(),
            caller.room(),
            this::askForFrame);
    this.end = new StreamEnd(client, outbox, () -> all.remove(this));
  }

  private static ReplyFrame frame(List<SendReply> replies) {
    return ReplyFrame.newBuilder().addAllReplies(replies).build();
  }

  /** Begins to take requests. */
  void start() {
    end.watch();
    all.add(this);
    client.request(1);
  }

  // ---- requests

  @Override
  public void onNext(RequestFrame frame) {
    if (frame.getRequestsCount() > Outbox.FRAME_MESSAGES) {
      end.close(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "a frame has more than %,d requests".formatted(Outbox.FRAME_MESSAGES)));
      return;
    }
    for (SendRequest request : frame.getRequestsList()) {
      new Request(request).begin();
    }
    outbox.send();
    wantsFrame.set(true);
    askForFrame();
  }

  private void askForFrame() {
    if (atWork.size() < REQUESTS_MAX
        && bytesAtWork.get() < BYTES_MAX
        && outbox.bytes() < BYTES_MAX
        && !end.isOver()
        && wantsFrame.compareAndSet(true, false)) {
      client.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.finish();
  }

  @Override
  public void onCompleted() {
    clientDone = true;
    endIfDone();
  }

  /** A request from its coming to its reply. */
  private final class Request implements Ended {
    private final long number;
    private final String type;
    private final int size;
    private final long beganNanos = requests.nanos();
    private final long limitNanos;
    private final AtomicBoolean over = new AtomicBoolean();

    /** Null once the request is enqueued: the engine has it then. */
    private @Nullable SendRequest message;

    private volatile Engine.@Nullable InLine inLine;

    Request(SendRequest message) {
      this.number = message.getNumber();
      this.type = message.getActorType();
      this.size = message.getSerializedSize();
      this.limitNanos = requests.limit(message.getTimeoutMicros()).toNanos();
      this.message = message;
    }

    void begin() {
      SendRequest sent = message;
      message = null;
      atWork.add(this);
      bytesAtWork.addAndGet(size);
      try {
        if (sent != null) {
          checkStaying();
          inLine = requests.enqueue(sent, this);
        }
      } catch (PartitionException refused) {
        failed(refused);
      } catch (RuntimeException failure) {
        failed(
            new PartitionException(
                Reason.IN_DOUBT, "The server failed with the request: " + failure, failure));
      }
    }

    private void checkStaying() {
      if (leaving) {
        throw new PartitionException(Reason.BUSY, "This server is closing");
      }
    }

    void expireIfLate(long now) {
      Engine.InLine waiting = inLine;
      if (waiting != null && now - beganNanos > limitNanos) {
        waiting.expire(
            new PartitionException(
                Reason.TIMED_OUT,
                "The request had no answer within %,d ms; it may have been carried out"
                    .formatted(limitNanos / 1_000_000)));
      }
    }

    @Override
    public void answered(byte[] answer) {
      if (answer.length > FrameLimits.REQUEST_BYTES) {
        failed(
            new PartitionException(
                Reason.INVALID,
                "The answer has %,d bytes; it may have %,d. Ask for less at a time"
                    .formatted(answer.length, FrameLimits.REQUEST_BYTES)));
        return;
      }
      reply(
          Optional.empty(),
          SendReply.newBuilder().setPayload(UnsafeByteOperations.unsafeWrap(answer)));
    }

    @Override
    public void failed(PartitionException why) {
      reply(Optional.of(why.reason()), SendReply.newBuilder().setRefusal(Refusals.toWire(why)));
    }

    private void reply(Optional<Reason> failure, SendReply.Builder reply) {
      if (over.compareAndSet(false, true)) {
        atWork.remove(this);
        bytesAtWork.addAndGet(-size);
        requests.ended(type, failure, beganNanos);
        outbox.enqueue(reply.setNumber(number).build());
      }
    }

    @Override
    public void flush() {
      outbox.send();
    }
  }

  // ---- the end

  /** Takes no more requests. */
  void leave() {
    leaving = true;
    endIfDone();
  }

  /** Ends the stream if no more requests come, and every reply is on its way. */
  void endIfDone() {
    if ((leaving || clientDone) && atWork.isEmpty() && outbox.isIdle()) {
      end.close(Status.OK);
    }
  }

  /** Looks for requests that are late, and whether the client takes its replies. */
  void tick() {
    long now = requests.nanos();
    atWork.forEach(request -> request.expireIfLate(now));
    endIfDone();
    outbox.send();
    askForFrame();
    long frames = outbox.framesSent();
    boolean stuck = outbox.bytes() > 0 && frames == framesSeen;
    framesSeen = frames;
    ticksWithoutProgress = stuck ? ticksWithoutProgress + 1 : 0;
    if (ticksWithoutProgress > PATIENCE) {
      cutOff("the client does not take its replies");
    }
  }

  /** Ends the stream at once, because the server closes. */
  void cutOff() {
    cutOff("the server is closing");
  }

  private void cutOff(String why) {
    end.close(Status.UNAVAILABLE.withDescription(why));
  }
}
