package dev.tidemark.remote.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.Role;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Leaving;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.ReaderOpened;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ServerFrame;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/*
 * Who works on what
 *
 * gRPC calls this object from one thread at a time. Plain reads are made right there, and their
 * replies leave as one frame. Commits, large reads and whatever comes while the client leaves replies
 * untaken go to virtual threads of their own. Nothing here waits on the thread of gRPC: it also
 * brings the news that the client takes replies again.
 *
 * The next frame is asked for when there is room for its work: few enough requests and bytes at work,
 * and few enough bytes of replies in line. So a client that does not read is not read from either.
 */

/** One client's session at the server. */
final class Session implements StreamObserver<ClientFrame> {
  /** Ticks of the server's timer without progress after which a client is cut off. */
  static final int PATIENCE_TICKS = 8;

  private final Role role;
  private final ClientLimits limits;
  private final int frameBytes;
  private final ServerCounters counters;
  private final Consumer<Session> onEnd;
  private final ServerCallStreamObserver<ServerFrame> client;
  private final Outbox<Reply, ServerFrame> outbox;
  private final Readers readers;
  private final ServedWatches watches;
  private final LargeReads largeReads;
  private final Answers answers;

  private final AtomicInteger working = new AtomicInteger();
  private final AtomicLong workingBytes = new AtomicLong();
  private final AtomicBoolean wantsFrame = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean leaving;
  private volatile boolean clientDone;
  private boolean greeted;

  // Used by the server's timer only.
  private long framesSeen;
  private int ticksWithoutProgress;

  Session(StoreServer server, Role role, ServerCallStreamObserver<ServerFrame> client) {
    Database database = server.database();
    this.role = role;
    this.limits = server.options().clientLimits();
    this.frameBytes = server.frameBytes();
    this.counters = server.counters();
    this.onEnd = server::ended;
    this.client = client;
    this.outbox =
        new Outbox<>(client, Reply::getSerializedSize, Session::frame, () -> false, this::sent);
    this.answers = new Answers(database, counters);
    this.readers = new Readers(database, limits.readers(), counters.readers);
    this.watches = new ServedWatches(database, limits.watches(), counters.watches, this::reply);
    this.largeReads = new LargeReads(() -> outbox.bytes() < limits.bytes(), this::reply);
  }

  /** Begins to take requests. */
  void start() {
    client.disableAutoRequest();
    client.setOnReadyHandler(outbox::send);
    client.setOnCancelHandler(this::end);
    client.setOnCloseHandler(this::end);
    client.request(1);
  }

  private static ServerFrame frame(List<Reply> replies) {
    return ServerFrame.newBuilder().addAllReplies(replies).build();
  }

  private void sent() {
    largeReads.roomChanged();
    askForFrame();
  }

  // ---- frames

  @Override
  public void onNext(ClientFrame frame) {
    counters.frames.increment();
    counters.requests.add(frame.getRequestsCount());
    if (frame.getRequestsCount() > Outbox.FRAME_MESSAGES) {
      // Each of them could take a thread before the client can be told to wait.
      refuse(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "a frame has %,d requests; the most are %,d"
                  .formatted(frame.getRequestsCount(), Outbox.FRAME_MESSAGES)));
      return;
    }
    for (Request request : frame.getRequestsList()) {
      if (!ended.get()) {
        take(request);
      }
    }
    outbox.sendHere();
    wantsFrame.set(true);
    askForFrame();
  }

  private void askForFrame() {
    boolean room =
        working.get() < limits.requests()
            && workingBytes.get() < limits.bytes()
            && outbox.bytes() < limits.bytes();
    if (room && wantsFrame.compareAndSet(true, false)) {
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

  private void take(Request request) {
    if (!greeted && !request.hasHello()) {
      refuse(Status.FAILED_PRECONDITION.withDescription("the first request must be a greeting"));
      return;
    }
    try {
      switch (request.getBodyCase()) {
        case HELLO -> greet(request.getId(), request.getHello());
        case OPEN_READER -> open(request.getId(), request.getOpenReader());
        case RELEASE_READER -> readers.release(request.getReleaseReader().getReader());
        case GET -> {
          ReadTransaction reads = reads(request.getGet().getReader());
          read(request, true, () -> Answers.value(request.getGet(), reads));
        }
        case GET_ALL -> {
          ReadTransaction reads = reads(request.getGetAll().getReader());
          boolean small = LargeReads.isSmall(request.getGetAll());
          read(request, small, () -> LargeReads.values(request.getGetAll(), reads));
        }
        case SCAN_ROWS -> scan(request, reads(request.getScanRows().getReader()));
        case COMMIT_WRITES -> commit(request);
        case WATCH_KEY -> watches.add(request.getId(), request.getWatchKey());
        case UNWATCH_KEY -> watches.remove(request.getUnwatchKey().getWatch());
        case ESTIMATE_SIZE -> later(request, () -> answers.size(request.getEstimateSize()));
        case FIND_SPLIT_POINTS ->
            later(request, () -> answers.splitPoints(request.getFindSplitPoints()));
        case TIME_OF_VERSION -> later(request, () -> answers.timeOf(request.getTimeOfVersion()));
        case VERSION_AT_TIME -> later(request, () -> answers.versionAt(request.getVersionAtTime()));
        case BODY_NOT_SET ->
            throw UsageException.invalidOperation(
                "This server does not know the request; it speaks version %d of the protocol"
                    .formatted(Wire.PROTOCOL));
      }
    } catch (RuntimeException failure) {
      fail(request.getId(), failure);
    }
  }

  private void greet(long id, Hello hello) {
    if (hello.getProtocol() != Wire.PROTOCOL) {
      refuse(
          Status.FAILED_PRECONDITION.withDescription(
              "the client speaks version %d of the protocol, the server %d; use the same release"
                  .formatted(hello.getProtocol(), Wire.PROTOCOL)));
      return;
    }
    greeted = true;
    enqueue(answers.welcome(limits, frameBytes).setId(id));
  }

  private void open(long id, OpenReader request) {
    checkStaying();
    long version = readers.open(request.getReader(), request.getVersion());
    ReaderOpened opened = ReaderOpened.newBuilder().setVersion(version).build();
    enqueue(Reply.newBuilder().setId(id).setReaderOpened(opened));
  }

  private ReadTransaction reads(long reader) {
    checkStaying();
    return readers.find(reader);
  }

  /** Answers a read at once if its reply is short and the client takes its replies. */
  private void read(Request request, boolean small, Supplier<Reply.Builder> answer) {
    if (small && hasRoom()) {
      enqueue(answer.get().setId(request.getId()));
    } else {
      onOwnThread(
          request, () -> largeReads.run(() -> reply(answer.get().setId(request.getId()).build())));
    }
  }

  private void scan(Request request, ReadTransaction reads) {
    if (LargeReads.isSmall(request.getScanRows()) && hasRoom()) {
      largeReads.scan(request.getId(), request.getScanRows(), reads, outbox::enqueue);
    } else {
      onOwnThread(
          request,
          () ->
              largeReads.run(() -> largeReads.scan(request.getId(), request.getScanRows(), reads)));
    }
  }

  private void commit(Request request) {
    checkStaying();
    if (role == Role.READ_ONLY) {
      throw UsageException.invalidOperation(
          "The token of this client is for reading only; the server takes no commits with it");
    }
    later(request, () -> answers.commit(request.getCommitWrites()));
  }

  private void checkStaying() {
    if (leaving) {
      throw new UnavailableException(
          Failures.PROCESS_BEHIND, "The server is closing and takes no more requests", null);
    }
  }

  private boolean hasRoom() {
    return outbox.bytes() < limits.bytes();
  }

  // ---- work on other threads

  private void later(Request request, Supplier<Reply.Builder> answer) {
    onOwnThread(request, () -> reply(answer.get().setId(request.getId()).build()));
  }

  private void onOwnThread(Request request, Runnable work) {
    int size = request.getSerializedSize();
    working.incrementAndGet();
    workingBytes.addAndGet(size);
    Thread.startVirtualThread(
        () -> {
          try {
            work.run();
          } catch (RuntimeException failure) {
            fail(request.getId(), failure);
            outbox.send();
          } finally {
            working.decrementAndGet();
            workingBytes.addAndGet(-size);
            askForFrame();
          }
        });
  }

  // ---- replies

  private void enqueue(Reply.Builder reply) {
    outbox.enqueue(reply.build());
  }

  private void reply(Reply reply) {
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

  /** Bytes of replies that the client has not taken yet. */
  long bytesWaiting() {
    return outbox.bytes();
  }

  /** Whether the client sends no more, and every reply has been handed to the network. */
  boolean isDone() {
    return ended.get() || (clientDone && working.get() == 0 && outbox.isIdle());
  }

  /** Looks whether the client takes its replies; called at every tick of the server's timer. */
  void tick() {
    if (isDone()) {
      cutOff(Status.OK);
      return;
    }
    long frames = outbox.framesSent();
    boolean stuck = outbox.bytes() > 0 && frames == framesSeen;
    framesSeen = frames;
    ticksWithoutProgress = stuck ? ticksWithoutProgress + 1 : 0;
    if (ticksWithoutProgress > PATIENCE_TICKS) {
      counters.clientsCutOff.increment();
      cutOff(Status.RESOURCE_EXHAUSTED.withDescription("the client does not take its replies"));
    }
  }

  private void refuse(Status status) {
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
    try {
      if (status.isOk()) {
        client.onCompleted();
      } else {
        client.onError(status.asRuntimeException());
      }
    } catch (IllegalStateException over) {
      // The client was faster.
    }
    end();
  }

  private void end() {
    if (ended.compareAndSet(false, true)) {
      outbox.end(() -> {});
      largeReads.close();
      watches.closeAll();
      readers.closeAll();
      onEnd.accept(this);
    }
  }
}
