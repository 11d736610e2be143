package dev.tidemark.remote.internal;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.remote.ClientLimits;
import dev.tidemark.remote.Role;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Keys;
import dev.tidemark.remote.internal.wire.Leaving;
import dev.tidemark.remote.internal.wire.OpenReader;
import dev.tidemark.remote.internal.wire.ReaderOpened;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import dev.tidemark.remote.internal.wire.ServerFrame;
import dev.tidemark.remote.internal.wire.Time;
import dev.tidemark.remote.internal.wire.Value;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

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

  private final Database database;
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

  private final AtomicInteger working = new AtomicInteger();
  private final AtomicLong workingBytes = new AtomicLong();
  private final AtomicBoolean wantsFrame = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean leaving;
  private boolean greeted;

  // Used by the server's timer only.
  private long framesSeen;
  private int ticksWithoutProgress;

  Session(StoreServer server, Role role, ServerCallStreamObserver<ServerFrame> client) {
    this.database = server.database();
    this.role = role;
    this.limits = server.options().clientLimits();
    this.frameBytes = server.frameBytes();
    this.counters = server.counters();
    this.onEnd = server::ended;
    this.client = client;
    this.outbox = new Outbox<>(client, Reply::getSerializedSize, this::frame, this::sent);
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

  private ServerFrame frame(List<Reply> replies) {
    ServerFrame frame = ServerFrame.newBuilder().addAllReplies(replies).build();
    counters.bytesSent.add(frame.getSerializedSize());
    return frame;
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
    counters.bytesReceived.add(frame.getSerializedSize());
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
    cutOff(Status.OK);
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
        case GET -> get(request, reads(request.getGet().getReader()));
        case GET_ALL -> getAll(request, reads(request.getGetAll().getReader()));
        case SCAN_ROWS -> scan(request, reads(request.getScanRows().getReader()));
        case COMMIT_WRITES -> commit(request);
        case WATCH_KEY -> watches.add(request.getId(), request.getWatchKey());
        case UNWATCH_KEY -> watches.remove(request.getUnwatchKey().getWatch());
        case ESTIMATE_SIZE ->
            later(request, () -> size(Wire.range(request.getEstimateSize().getRange())));
        case FIND_SPLIT_POINTS -> later(request, () -> splitPoints(request));
        case TIME_OF_VERSION -> later(request, () -> timeOf(request));
        case VERSION_AT_TIME -> later(request, () -> versionAt(request));
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
    Limits own = database.limits();
    Welcome welcome =
        Welcome.newBuilder()
            .setProtocol(Wire.PROTOCOL)
            .setKeyBytes(own.keyBytes())
            .setValueBytes(own.valueBytes())
            .setTransactionBytes(own.transactionBytes())
            .setReadWindowNanos(own.readWindow().toNanos())
            .setWatches(Math.min(own.watches(), limits.watches()))
            .setClockMicros(database.time().wallMicros())
            .setFrameBytes(frameBytes)
            .build();
    enqueue(Reply.newBuilder().setId(id).setWelcome(welcome));
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

  private void get(Request request, ReadTransaction reads) {
    Key key = Wire.key(request.getGet().getKey());
    if (hasRoom()) {
      Value value = LargeReads.value(reads.get(key));
      enqueue(Reply.newBuilder().setId(request.getId()).setValue(value));
    } else {
      laterRead(
          request,
          () ->
              reply(
                  Reply.newBuilder()
                      .setId(request.getId())
                      .setValue(LargeReads.value(reads.get(key)))
                      .build()));
    }
  }

  private void getAll(Request request, ReadTransaction reads) {
    if (hasRoom() && LargeReads.isSmall(request.getGetAll())) {
      enqueue(
          Reply.newBuilder()
              .setId(request.getId())
              .setValues(LargeReads.values(request.getGetAll(), reads)));
    } else {
      laterRead(
          request,
          () ->
              reply(
                  Reply.newBuilder()
                      .setId(request.getId())
                      .setValues(LargeReads.values(request.getGetAll(), reads))
                      .build()));
    }
  }

  private void scan(Request request, ReadTransaction reads) {
    if (hasRoom() && LargeReads.isSmall(request.getScanRows())) {
      largeReads.scan(request.getId(), request.getScanRows(), reads, outbox::enqueue);
    } else {
      laterRead(request, () -> largeReads.scan(request.getId(), request.getScanRows(), reads));
    }
  }

  private void commit(Request request) {
    checkStaying();
    if (role == Role.READ_ONLY) {
      throw UsageException.invalidOperation(
          "The token of this client is for reading only; the server takes no commits with it");
    }
    later(request, () -> commit(request.getCommitWrites()));
  }

  private Reply.Builder commit(CommitWrites writes) {
    try {
      Reply.Builder reply =
          Reply.newBuilder().setCommitted(CommitEncoding.replay(writes, database));
      counters.commits.increment();
      return reply;
    } catch (DatabaseException refused) {
      counters.commitsRefused.increment();
      throw refused;
    }
  }

  private Reply.Builder size(KeyRange range) {
    return Reply.newBuilder().setSize(database.estimatedSize(range));
  }

  private Reply.Builder splitPoints(Request request) {
    KeyRange range = Wire.range(request.getFindSplitPoints().getRange());
    List<Key> points = database.splitPoints(range, request.getFindSplitPoints().getPieceBytes());
    return Reply.newBuilder().setKeys(Keys.newBuilder().addAllKeys(Wire.bytes(points)));
  }

  private Reply.Builder timeOf(Request request) {
    Instant time = database.timeOf(request.getTimeOfVersion().getVersion());
    return Reply.newBuilder()
        .setTime(Time.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()));
  }

  private Reply.Builder versionAt(Request request) {
    Time time = request.getVersionAtTime().getTime();
    Instant instant = Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    return Reply.newBuilder().setVersion(database.versionAt(instant));
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

  @FunctionalInterface
  private interface Work {
    Reply.Builder run();
  }

  private void later(Request request, Work work) {
    onOwnThread(request, () -> reply(work.run().setId(request.getId()).build()));
  }

  private void laterRead(Request request, Runnable work) {
    onOwnThread(request, () -> largeReads.run(work));
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

  /** Whether nothing is being worked on and every reply has been handed to the network. */
  boolean isIdle() {
    return ended.get() || (working.get() == 0 && outbox.isIdle());
  }

  /** Looks whether the client takes its replies; called at every tick of the server's timer. */
  void tick() {
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
