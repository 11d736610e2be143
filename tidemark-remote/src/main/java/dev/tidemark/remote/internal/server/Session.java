package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.grpc.internal.frames.StreamEnd;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.MalformedFrameException;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Request;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Which thread does what
 *
 * gRPC calls this object from one thread at a time, which serves other clients too and so never
 * blocks. It answers the reads whose values are in memory, and sends their replies as one frame.
 * It enqueues plain commits too, all of a frame before the committer begins with the first, and
 * answers them when the committer has reported their outcomes. At the first read that may block,
 * the rest of its frame goes on in a virtual thread, in the same order, and the next frame is not
 * requested before the end of this one. The same holds for a long request, which takes a while to
 * parse, and for whatever follows many others in a frame.
 *
 * Other commits, large reads, and all reads while the client does not take its replies, go to
 * virtual threads of their own, with nothing of their frame but what they need.
 *
 * The next frame is requested when there is room for its work: few enough requests and bytes at
 * work, and few enough bytes of queued replies, of this client and of all. So a client that does
 * not read is not read from either. If one frame has too many requests, its rest waits in its
 * virtual thread.
 */

/** One client's session at the server. */
final class Session implements StreamObserver<Frame> {
  /**
   * The most requests, and bytes of them or of their replies, that are taken at a time. The rest of
   * a frame goes on in a thread of its own, so that other clients have their turn.
   */
  private static final int PART_REQUESTS = 256;

  private static final int PART_BYTES = 1 << 18;

  /** Replies of the rest of a frame are sent after this time, or when they have so many bytes. */
  private static final long SEND_NANOS = 1_000_000;

  private static final int SEND_BYTES = 1 << 16;

  /** The bytes that may wait in the transport, so that it is busy while more is read. */
  private static final int READY_BYTES = 1 << 19;

  private final ClientLimits limits;
  private final ServerCounters counters;
  private final TimeSource time;
  private final Predicate<Session> onGreeted;
  private final Consumer<Session> onEnd;
  private final ServerCallStreamObserver<Frame> client;
  private final Outbox<byte[], Frame> outbox;
  private final StreamEnd end;
  private final WorkUnderWay work;
  private final SharedRoom.Part room;
  private final ByteCounting.Incoming incoming;
  private final Patience patience = new Patience();
  private final SessionRequests requests;

  private final AtomicBoolean wantsFrame = new AtomicBoolean();
  private volatile boolean clientDone;
  private volatile boolean greeted;
  private volatile ByteString clientId = ByteString.EMPTY;

  Session(
      StoreServer server,
      Caller caller,
      ByteCounting.Incoming incoming,
      ServerCallStreamObserver<Frame> client) {
    this.incoming = incoming;
    this.limits = server.options().clientLimits();
    this.counters = server.counters();
    this.time = server.database().time();
    this.onGreeted = server::greeted;
    this.onEnd = server::ended;
    this.client = client;
    this.outbox =
        new Outbox<>(
            client, reply -> reply.length, Frame::new, new Crowd(), caller.room(), this::sent);
    this.end = new StreamEnd(client, outbox, this::release);
    this.work = new WorkUnderWay(limits, this::askForFrame);
    this.room = server.room().new Part(this::bytesHeld);
    this.requests = new SessionRequests(server, caller, work, outbox, this::hasRoom, this::greet);
  }

  /** Begins to take requests. */
  void start() {
    end.watch();
    client.setOnReadyThreshold(READY_BYTES);
    client.request(1);
  }

  private void sent() {
    requests.roomChanged();
    askForFrame();
  }

  // ---- frames

  @Override
  public void onNext(Frame frame) {
    if (isRefused(frame)) {
      return;
    }
    FieldReader sent = frame.read();
    Runnable waiting = take(() -> takePart(sent, SentCommit.PROMPT_BYTES));
    if (waiting != null) {
      Runnable end = work.beginFrame(frame.size());
      Thread.startVirtualThread(() -> takeRest(waiting, sent, end));
    }
  }

  /** Counts the requests of a frame; refuses the client if they are too many, or no requests. */
  private boolean isRefused(Frame frame) {
    int count;
    try {
      count = frame.count(Outbox.FRAME_MESSAGES + 1);
    } catch (MalformedFrameException malformed) {
      refuse(noFrame(malformed));
      return true;
    }
    counters.frames.increment();
    counters.requests.add(count);
    if (count <= Outbox.FRAME_MESSAGES) {
      return false;
    }
    refuse(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "a frame has more than %,d requests".formatted(Outbox.FRAME_MESSAGES)));
    return true;
  }

  private static Status noFrame(MalformedFrameException why) {
    return Status.INTERNAL.withDescription("this is no frame: " + why.getMessage());
  }

  private void takeRest(Runnable first, FieldReader sent, Runnable end) {
    try {
      take(() -> takeAll(first, sent));
    } catch (RuntimeException | Error failure) {
      cutOff(Status.INTERNAL.withDescription("the server failed: " + failure));
      throw failure;
    } finally {
      end.run();
    }
  }

  /**
   * Takes {@code some} requests of a frame. The frame is done if no work is left that may block.
   */
  private @Nullable Runnable take(Supplier<@Nullable Runnable> some) {
    Runnable waiting;
    try {
      waiting = some.get();
    } catch (MalformedFrameException malformed) {
      refuse(noFrame(malformed));
      return null;
    } finally {
      requests.startCommits();
    }
    outbox.sendHere();
    if (waiting == null) {
      wantsFrame.set(true);
      askForFrame();
    }
    return waiting;
  }

  private @Nullable Runnable takeAll(Runnable first, FieldReader sent) {
    Runnable waiting = first;
    long sentNanos = time.nanos();
    while (waiting != null && !end.isOver()) {
      waiting.run();
      long now = time.nanos();
      if (now - sentNanos >= SEND_NANOS || outbox.bytes() >= SEND_BYTES) {
        sentNanos = now;
        passOn();
      }
      waiting = takePart(sent, Integer.MAX_VALUE);
    }
    return null;
  }

  /**
   * Takes requests of up to {@code longest} bytes, at most a part of a frame, as long as none may
   * block. Returns the work to do before the rest is taken; null at the end of the frame.
   */
  private @Nullable Runnable takePart(FieldReader sent, int longest) {
    long repliesBefore = outbox.bytes();
    int bytes = 0;
    for (int taken = 0; !end.isOver() && sent.next(); taken++) {
      Runnable waiting = null;
      if (sent.field() == Frame.MESSAGES) {
        FieldReader request = sent.message();
        bytes += request.size();
        waiting = request.size() > longest ? () -> takeLong(request) : take(Envelope.open(request));
      } else {
        sent.skip();
      }
      if (waiting != null) {
        return waiting;
      }
      if (!work.hasRoom() && !sent.isAtEnd()) {
        return this::awaitWork;
      }
      if (taken == PART_REQUESTS
          || bytes >= PART_BYTES
          || outbox.bytes() - repliesBefore >= PART_BYTES) {
        return () -> {};
      }
    }
    return null;
  }

  /** Takes a request; returns the part of its work that may block. */
  private @Nullable Runnable take(Envelope request) {
    if (!greeted && request.kind() != Request.HELLO_FIELD_NUMBER) {
      refuse(Status.FAILED_PRECONDITION.withDescription("the first request must be a greeting"));
      return null;
    }
    return requests.take(request);
  }

  private void takeLong(FieldReader request) {
    Runnable waiting = take(Envelope.open(request));
    if (waiting != null) {
      waiting.run();
    }
  }

  /** Waits until enough of the requests at work have ended for others to begin. */
  private void awaitWork() {
    passOn();
    work.awaitRoom();
  }

  /** Starts the commits and sends the replies of a frame so far, before the rest of it is taken. */
  private void passOn() {
    requests.startCommits();
    outbox.sendHere();
  }

  private void askForFrame() {
    if (room.countAndHasRoom(bytesHeld())
        && work.hasRoom()
        && outbox.bytes() < limits.bytes()
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
  }

  /** Whether there is room for another reply. */
  private boolean hasRoom() {
    long waiting = outbox.bytes();
    return room.countAndHasRoom(waiting) && waiting < limits.bytes();
  }

  // ---- greeting

  private void greet(long id, Hello hello) {
    if (hello.getProtocol() != Wire.PROTOCOL) {
      refuse(
          Status.FAILED_PRECONDITION.withDescription(
              "the client speaks version %d of the protocol, the server %d; use the same release"
                  .formatted(hello.getProtocol(), Wire.PROTOCOL)));
      return;
    }
    int idBytes = hello.getClient().size();
    if (idBytes != 0 && idBytes != Wire.ID_BYTES) {
      refuse(
          Status.FAILED_PRECONDITION.withDescription(
              "the id of the client has %d bytes, not %d".formatted(idBytes, Wire.ID_BYTES)));
      return;
    }
    clientId = clientId.isEmpty() ? hello.getClient() : clientId;
    // Before the client knows, so that what it asks for again finds the old places free.
    if (onGreeted.test(this)) {
      greeted = true;
      requests.welcome(id);
    }
  }

  // ---- the end

  /** Refuses further requests and tells the client to go elsewhere. */
  void leave() {
    requests.leave();
  }

  /** The same in all sessions of its client; empty if it sent none. */
  ByteString clientId() {
    return clientId;
  }

  /** Bytes of replies that the client has not taken yet. */
  long bytesWaiting() {
    return outbox.bytes();
  }

  /** Those, bytes of a frame on its way, and of requests at work, which may go on after the end. */
  private long bytesHeld() {
    return work.bytes() + (end.isOver() ? 0 : outbox.bytes() + incoming.ofPartialFrame());
  }

  /** Whether the client sends no more, and every reply has been handed to the network. */
  boolean isDone() {
    return end.isOver() || (clientDone && work.isEmpty() && outbox.isIdle());
  }

  /** Looks whether the client keeps the server waiting; called at every tick of its timer. */
  void tick() {
    if (isDone()) {
      cutOff(Status.OK);
      return;
    }
    room.count();
    // A long read may hold up replies that others of its frame have enqueued.
    outbox.send();
    String lost =
        patience.lostWith(
            new Patience.Look(
                greeted,
                outbox.bytes() > 0,
                outbox.framesSent(),
                incoming.ofPartialFrame() > 0,
                incoming.received()));
    if (lost != null) {
      counters.clientsCutOff.increment();
      cutOff(Status.RESOURCE_EXHAUSTED.withDescription(lost));
    }
  }

  /** Ends the session because its client has begun another one. */
  void replace() {
    requests.close();
    cutOff(Status.ABORTED.withDescription("the client has come again"));
  }

  /** Ends the session because the client is refused. */
  void refuse(Status status) {
    counters.clientsRefused.increment();
    cutOff(status);
  }

  /** Ends the session from this side. */
  void cutOff(Status status) {
    end.close(status);
  }

  private void release() {
    room.count();
    work.close();
    requests.close();
    onEnd.accept(this);
  }
}
