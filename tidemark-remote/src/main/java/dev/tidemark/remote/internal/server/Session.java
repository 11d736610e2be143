package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.grpc.internal.frames.StreamEnd;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.MalformedFrameException;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Leaving;
import dev.tidemark.remote.internal.wire.Reply;
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
 * Who works on what
 *
 * gRPC calls this object from one thread at a time, which serves other clients too and so never
 * waits. It makes the reads whose values are in memory, and their replies leave as one frame. Plain
 * commits are put in line there too, all of a frame before the first one begins, and are answered there
 * when the committer has told of their ends. The first read that takes a wait has the rest of its frame go on in a virtual thread,
 * in the same order, and the next frame is not asked for before its end. So has a long request, which
 * takes a while to parse, and whatever comes after many others.
 *
 * Other commits, large reads, and all reads while the client leaves replies untaken go to virtual
 * threads of their own, with nothing of their frame but what they need.
 *
 * The next frame is asked for when there is room for its work: few enough requests and bytes at work,
 * and few enough bytes of replies in line, of this client and of all. So a client that does not read is
 * not read from either. Where the requests of one frame are too many, the rest of it waits in its
 * virtual thread.
 */

/** One client's session at the server. */
final class Session implements StreamObserver<Frame> {
  /**
   * So many requests, and so many bytes of them or of their replies, are taken in one go. What is
   * left of a frame goes on in a thread of its own, so that other clients have their turn.
   */
  private static final int PART_REQUESTS = 256;

  private static final int PART_BYTES = 1 << 18;

  /** What is read in the rest of a frame is sent after so long, or when it is so much. */
  private static final long SEND_NANOS = 1_000_000;

  private static final int SEND_BYTES = 1 << 16;

  /** So much may wait in the transport, so that it has something to do while more is read. */
  private static final int READY_BYTES = 1 << 19;

  private final Role role;
  private final ClientLimits limits;
  private final int frameBytes;
  private final ServedStore store;
  private final int commitPartsMax;
  private final ServerCounters counters;
  private final TimeSource time;
  private final Predicate<Session> onGreeted;
  private final Consumer<Session> onEnd;
  private final ServerCallStreamObserver<Frame> client;
  private final Outbox<byte[], Frame> outbox;
  private final WorkUnderWay work;
  private final SharedRoom.Part room;
  private final ByteCounting.Incoming incoming;
  private final Patience patience = new Patience();
  private final ServedReads reads;
  private final ServedWatches watches;
  private final StoreReplies answers;
  private final PromptCommits promptCommits;

  private final AtomicBoolean wantsFrame = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean leaving;
  private volatile boolean clientDone;
  private volatile boolean greeted;
  private volatile ByteString clientId = ByteString.EMPTY;

  Session(
      StoreServer server,
      Caller caller,
      ByteCounting.Incoming incoming,
      ServerCallStreamObserver<Frame> client) {
    Database database = server.database();
    this.role = caller.role();
    this.incoming = incoming;
    this.limits = server.options().clientLimits();
    this.frameBytes = server.frameBytes();
    this.store = server.store();
    this.commitPartsMax = SentCommit.partsMax(database.limits().transactionBytes());
    this.counters = server.counters();
    this.time = database.time();
    this.onGreeted = server::greeted;
    this.onEnd = server::ended;
    this.client = client;
    this.outbox =
        new Outbox<>(
            client, reply -> reply.length, Frame::new, new Crowd(), caller.room(), this::sent);
    this.answers = new StoreReplies(database, counters);
    this.work = new WorkUnderWay(limits, this::askForFrame);
    this.room = server.room().new Part(this::bytesHeld);
    Readers readers = new Readers(database, limits.readers(), counters.readers);
    this.reads =
        new ServedReads(readers, outbox, counters.scansConfirmed, this::hasRoom, this::onOwnThread);
    this.watches = new ServedWatches(database, limits.watches(), counters.watches, this::reply);
    this.promptCommits = new PromptCommits(database, counters, outbox, caller.thread());
  }

  /** Begins to take requests. */
  void start() {
    client.disableAutoRequest();
    client.setOnReadyThreshold(READY_BYTES);
    client.setOnReadyHandler(outbox::send);
    client.setOnCancelHandler(this::end);
    client.setOnCloseHandler(this::end);
    client.request(1);
  }

  private void sent() {
    reads.roomChanged();
    askForFrame();
  }

  // ---- frames

  @Override
  public void onNext(Frame frame) {
    if (isRefused(frame)) {
      return;
    }
    FieldReader requests = frame.read();
    Runnable waiting = take(() -> takePart(requests, SentCommit.PROMPT_BYTES));
    if (waiting != null) {
      Runnable end = work.beginFrame(frame.size());
      Thread.startVirtualThread(() -> takeRest(waiting, requests, end));
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

  private void takeRest(Runnable first, FieldReader requests, Runnable end) {
    try {
      take(() -> takeAll(first, requests));
    } catch (RuntimeException | Error failure) {
      cutOff(Status.INTERNAL.withDescription("the server failed: " + failure));
      throw failure;
    } finally {
      end.run();
    }
  }

  /** Has {@code some} requests of a frame taken. The frame is done if none is left that waits. */
  private @Nullable Runnable take(Supplier<@Nullable Runnable> some) {
    Runnable waiting;
    try {
      waiting = some.get();
    } catch (MalformedFrameException malformed) {
      refuse(noFrame(malformed));
      return null;
    } finally {
      promptCommits.start();
    }
    outbox.sendHere();
    if (waiting == null) {
      wantsFrame.set(true);
      askForFrame();
    }
    return waiting;
  }

  private @Nullable Runnable takeAll(Runnable first, FieldReader requests) {
    Runnable waiting = first;
    long sentNanos = time.nanos();
    while (waiting != null && !ended.get()) {
      waiting.run();
      long now = time.nanos();
      if (now - sentNanos >= SEND_NANOS || outbox.bytes() >= SEND_BYTES) {
        sentNanos = now;
        passOn();
      }
      waiting = takePart(requests, Integer.MAX_VALUE);
    }
    return null;
  }

  /**
   * Takes requests of up to {@code longest} bytes, a part of a frame at most, as long as none takes
   * a wait. Returns what is to be done before the rest is taken; null if the frame is at its end.
   */
  private @Nullable Runnable takePart(FieldReader requests, int longest) {
    long repliesBefore = outbox.bytes();
    int bytes = 0;
    for (int taken = 0; !ended.get() && requests.next(); taken++) {
      Runnable waiting = null;
      if (requests.field() == Frame.MESSAGES) {
        FieldReader request = requests.message();
        bytes += request.size();
        waiting = request.size() > longest ? () -> takeLong(request) : take(Envelope.open(request));
      } else {
        requests.skip();
      }
      if (waiting != null) {
        return waiting;
      }
      if (!work.hasRoom() && !requests.isAtEnd()) {
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

  /** Has what was taken from a frame so far go its way, before the rest of it is taken. */
  private void passOn() {
    promptCommits.start();
    outbox.sendHere();
  }

  private void askForFrame() {
    if (room.countAndHasRoom(bytesHeld())
        && work.hasRoom()
        && outbox.bytes() < limits.bytes()
        && !ended.get()
        && wantsFrame.compareAndSet(true, false)) {
      client.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onCompleted() {
    clientDone = true;
  }

  // ---- requests

  /** Takes a request; what of it takes a wait is returned. */
  private @Nullable Runnable take(Envelope request) {
    if (!greeted && request.kind() != Request.HELLO_FIELD_NUMBER) {
      refuse(Status.FAILED_PRECONDITION.withDescription("the first request must be a greeting"));
      return null;
    }
    Runnable waiting = null;
    try {
      switch (request.kind()) {
        case Request.OPEN_READER_FIELD_NUMBER -> reads().open(request);
        case Request.RELEASE_READER_FIELD_NUMBER -> reads.release(request);
        case Request.GET_FIELD_NUMBER -> waiting = reads().get(request);
        case Request.SCAN_ROWS_FIELD_NUMBER -> waiting = reads().scan(request);
        case Request.COMMIT_WRITES_FIELD_NUMBER -> commit(request);
        default -> waiting = take(request.id(), request.size(), parsed(request));
      }
    } catch (MalformedFrameException malformed) {
      throw malformed;
    } catch (RuntimeException failure) {
      fail(request.id(), failure);
    }
    Runnable work = waiting;
    return work == null ? null : () -> attempt(request.id(), work);
  }

  /** A request that protobuf reads, which makes an object of every field. */
  private static Request parsed(Envelope request) {
    if (request.hasMoreFieldsThan(LargeReads.KEYS_MAX + 1)) {
      throw UsageException.invalidOperation(
          "The request has more than %,d keys, which is what this server takes at once"
              .formatted(LargeReads.KEYS_MAX));
    }
    return request.whole().parse(Request::parseFrom);
  }

  private void attempt(long id, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failure) {
      fail(id, failure);
    }
  }

  private @Nullable Runnable take(long id, int size, Request request) {
    switch (request.getBodyCase()) {
      case HELLO -> greet(id, request.getHello());
      case GET_ALL -> {
        return reads().getAll(id, size, request.getGetAll());
      }
      case WATCH_KEY -> watches.add(id, request.getWatchKey(), work.begin(size));
      case UNWATCH_KEY -> watches.remove(request.getUnwatchKey().getWatch());
      case ESTIMATE_SIZE -> later(id, size, () -> answers.size(request.getEstimateSize()));
      case FIND_SPLIT_POINTS ->
          reads()
              .answerInTurn(
                  id, size, () -> reply(id, answers.splitPoints(request.getFindSplitPoints())));
      case TIME_OF_VERSION -> later(id, size, () -> answers.timeOf(request.getTimeOfVersion()));
      case VERSION_AT_TIME -> later(id, size, () -> answers.versionAt(request.getVersionAtTime()));
      case SETTLE_COMMIT -> {
        checkMayCommit();
        reads.answerInTurn(id, size, () -> reply(id, answers.settle(request.getSettleCommit())));
      }
      case OPEN_READER, RELEASE_READER, GET, SCAN_ROWS, COMMIT_WRITES, BODY_NOT_SET ->
          throw UsageException.invalidOperation(
              "This server does not know the request; it speaks version %d of the protocol"
                  .formatted(Wire.PROTOCOL));
    }
    return null;
  }

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
      enqueue(answers.welcome(limits, frameBytes, store).setId(id));
    }
  }

  /** The reads, unless the server is closing. */
  private ServedReads reads() {
    checkStaying();
    return reads;
  }

  private void checkMayCommit() {
    checkStaying();
    if (!role.includes(Role.WRITE)) {
      throw UsageException.invalidOperation(
          "The token of this client is for reading only; the server takes no commits with it");
    }
  }

  private void commit(Envelope request) {
    checkMayCommit();
    long id = request.id();
    SentCommit commit = SentCommit.read(request.message(), commitPartsMax);
    Runnable end = work.begin(commit.weight());
    boolean inLine = false;
    try {
      inLine = promptCommits.putInLine(id, commit, end);
    } finally {
      if (!inLine) {
        end.run();
      }
    }
    if (!inLine) {
      onOwnThread(id, commit.weight(), () -> send(answers.commit(id, commit)));
    }
  }

  private void checkStaying() {
    if (leaving) {
      throw UnavailableException.unreachable(
          "The server is closing and takes no more requests", null);
    }
  }

  /** Whether there is room for another reply. */
  private boolean hasRoom() {
    long waiting = outbox.bytes();
    return room.countAndHasRoom(waiting) && waiting < limits.bytes();
  }

  // ---- work on other threads

  private void later(long id, int size, Supplier<Reply.Builder> answer) {
    onOwnThread(id, size, () -> send(reply(id, answer.get())));
  }

  private void onOwnThread(long id, int size, Runnable task) {
    Runnable end = work.begin(size);
    Thread.startVirtualThread(
        () -> {
          try {
            task.run();
          } catch (RuntimeException failure) {
            fail(id, failure);
            outbox.send();
          } finally {
            end.run();
          }
        });
  }

  // ---- replies

  private static byte[] reply(long id, Reply.Builder reply) {
    return ReplyFields.of(reply.setId(id).build());
  }

  private void enqueue(Reply.Builder reply) {
    outbox.enqueue(ReplyFields.of(reply.build()));
  }

  private void reply(Reply reply) {
    send(ReplyFields.of(reply));
  }

  private void send(byte[] reply) {
    outbox.enqueue(reply);
    outbox.send();
  }

  private void fail(long id, RuntimeException failure) {
    if (id != 0) {
      Failure wire = Failures.toWire(failure);
      enqueue(Reply.newBuilder().setId(id).setFailure(wire));
    }
  }

  // ---- the end

  /** Refuses further requests and tells the client to go elsewhere. */
  void leave() {
    leaving = true;
    reply(Reply.newBuilder().setLeaving(Leaving.getDefaultInstance()).build());
  }

  /** The same in all sessions of its client; empty if it has told none. */
  ByteString clientId() {
    return clientId;
  }

  /** Bytes of replies that the client has not taken yet. */
  long bytesWaiting() {
    return outbox.bytes();
  }

  /** Those, bytes of a frame on its way, and of requests at work, which may go on after the end. */
  private long bytesHeld() {
    return work.bytes() + (ended.get() ? 0 : outbox.bytes() + incoming.ofPartialFrame());
  }

  /** Whether the client sends no more, and every reply has been handed to the network. */
  boolean isDone() {
    return ended.get() || (clientDone && work.isEmpty() && outbox.isIdle());
  }

  /** Looks whether the client keeps the server waiting; called at every tick of its timer. */
  void tick() {
    if (isDone()) {
      cutOff(Status.OK);
      return;
    }
    room.count();
    // A read that takes long may stand before what others of its frame have put in line.
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
    watches.closeAll();
    reads.close();
    cutOff(Status.ABORTED.withDescription("the client has come again"));
  }

  /** Ends the session because its client may not have it. */
  void refuse(Status status) {
    counters.clientsRefused.increment();
    cutOff(status);
  }

  /** Ends the session from this side. */
  void cutOff(Status status) {
    if (!ended.get()) {
      outbox.end(() -> closeCall(status));
    }
  }

  private void closeCall(Status status) {
    StreamEnd.send(client, status);
    end();
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      outbox.end(() -> {});
      room.count();
      work.close();
      watches.closeAll();
      reads.close();
      onEnd.accept(this);
    }
  }
}
