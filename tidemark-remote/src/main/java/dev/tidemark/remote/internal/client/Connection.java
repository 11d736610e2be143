package dev.tidemark.remote.internal.client;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import dev.tidemark.grpc.internal.frames.Sleepers;
import dev.tidemark.kv.Limits;
import dev.tidemark.remote.internal.transport.Envelope;
import dev.tidemark.remote.internal.transport.FieldReader;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.FrameMarshaller;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One session with a server, from its begin to its loss. Replies come on a thread of the network,
 * which never blocks here.
 */
final class Connection implements ClientResponseObserver<Frame, Frame> {
  private final String address;
  private final Listener listener;
  private final ConcurrentHashMap<Long, Call> calls = new ConcurrentHashMap<>();
  private final Crowd crowd = new Crowd();
  private final KnownRows known;

  /** Set by {@link #beforeStart}, before the connection is published. */
  private Outbox<Outgoing, Frame> outbox;

  private ClientCallStreamObserver<Frame> stream;
  private @Nullable Welcome welcome;
  private volatile State state = State.OPEN;

  private volatile @Nullable Status lostWith;

  private enum State {
    OPEN,
    /** The server takes no more requests; replies to earlier ones may still come. */
    LEAVING,
    LOST
  }

  /** The events of a connection. */
  interface Listener {
    /** {@code connection} takes no more requests. May be called twice. */
    void left(Connection connection);

    /** A reply that belongs to no call: to the watch {@code reply.getId()}. */
    void watchEnded(Reply reply);
  }

  @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart while the stream is being opened
  private Connection(String address, long rowCacheBytes, Listener listener) {
    this.address = address;
    this.known = new KnownRows(rowCacheBytes);
    this.listener = listener;
  }

  /** Opens a stream to the server; {@link #greet} has to follow. */
  static Connection open(Channel channel, String address, long rowCacheBytes, Listener listener) {
    Connection connection = new Connection(address, rowCacheBytes, listener);
    ClientCalls.asyncBidiStreamingCall(
        channel.newCall(FrameMarshaller.SESSION, CallOptions.DEFAULT), connection);
    return connection;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Frame> requestStream) {
    stream = requestStream;
    outbox =
        new Outbox<>(
            requestStream, Outgoing::size, this::frame, crowd, Outbox.ENOUGH_ROOM, () -> {});
    requestStream.setOnReadyHandler(outbox::send);
  }

  private Frame frame(List<Outgoing> gathered) {
    List<byte[]> requests = new ArrayList<>(gathered.size());
    int calling = 0;
    for (Outgoing next : gathered) {
      calling += next instanceof Call ? 1 : 0;
      byte[] request = next.take();
      if (request != null) {
        requests.add(request);
      }
    }
    crowd.sent(calling, calls.mappingCount());
    return new Frame(requests);
  }

  /** Exchanges greetings: versions of the protocol, limits and identities. */
  Welcome greet(Call hello, Duration timeout) {
    send(hello);
    Welcome answer = hello.awaitReply(timeout.toNanos()).getWelcome();
    welcome = answer;
    return answer;
  }

  /** The limits of the served database. */
  static Limits limits(Welcome welcome) {
    return Limits.DEFAULTS
        .withKeyBytes(welcome.getKeyBytes())
        .withValueBytes(welcome.getValueBytes())
        .withTransactionBytes(welcome.getTransactionBytes())
        .withReadWindow(Duration.ofNanos(welcome.getReadWindowNanos()))
        .withWatches(welcome.getWatches());
  }

  /** Longest frame that the server takes. */
  int frameBytes() {
    return welcome == null ? 0 : welcome.getFrameBytes();
  }

  /** The id of the served store; empty if the server has none. */
  ByteString store() {
    return welcome == null ? ByteString.EMPTY : welcome.getStore();
  }

  /** The id of its opening; a version that was read in another one means nothing here. */
  ByteString opening() {
    return welcome == null ? ByteString.EMPTY : welcome.getOpening();
  }

  /** The rows that scans of this session have fetched. */
  KnownRows known() {
    return known;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  boolean isLost() {
    return state == State.LOST;
  }

  /** Why the stream ended; null if it is open, or the client ended it. */
  @Nullable Status lostWith() {
    return lostWith;
  }

  /** Sends {@code call}, together with calls of other threads that are about to come. */
  void send(Call call) {
    calls.put(call.id(), call);
    outbox.enqueue(call);
    crowd.came();
    outbox.sendWithCrowd();
    if (state == State.LOST) {
      calls.remove(call.id());
      call.lose(whyLost());
    } else if (state == State.LEAVING) {
      loseUnsent(call);
    }
  }

  /** Enqueues {@code request}, which no thread waits for; the next frame carries it. */
  void enqueue(Outgoing.Note request) {
    outbox.enqueue(request);
  }

  /** Sends the queue. */
  void flush() {
    outbox.send();
  }

  /** Ends calls that began before {@code tick}. */
  void expire(int tick, Duration timeout) {
    for (Call call : calls.values()) {
      if (call.isOlderThan(tick)) {
        calls.remove(call.id());
        call.expire("The server at %s did not answer within %s".formatted(address, timeout));
      }
    }
    flush();
  }

  @Override
  public void onNext(Frame frame) {
    List<Call> ended = new ArrayList<>();
    try {
      takeAll(frame, ended);
    } finally {
      // Before the first of them can be back.
      crowd.answered(ended.size());
      Sleepers woken = new Sleepers();
      ended.forEach(call -> call.end(woken));
      woken.wake();
    }
  }

  private void takeAll(Frame frame, List<Call> ended) {
    FieldReader fields = frame.read();
    while (fields.next()) {
      if (fields.field() == Frame.MESSAGES) {
        Envelope reply = Envelope.open(fields.message());
        take(reply.id(), ReceivedReply.in(reply), ended);
      } else {
        fields.skip();
      }
    }
  }

  /** Takes a reply; a call whose last reply it is is added to {@code ended}. */
  private void take(long id, ReceivedReply answer, List<Call> ended) {
    Call call = calls.get(id);
    if (call != null) {
      if (call.answer(answer)) {
        calls.remove(id);
        ended.add(call);
      }
    } else if (answer instanceof ReceivedReply.Other(Reply reply)) {
      takeWithoutCall(reply);
    }
  }

  private void takeWithoutCall(Reply reply) {
    if (reply.hasLeaving()) {
      leave();
    } else if (reply.hasFired() || reply.hasFailure()) {
      listener.watchEnded(reply);
    }
  }

  /** Stops sending, and says so to the server, which still answers the requests that it has. */
  private void leave() {
    if (state == State.OPEN) {
      state = State.LEAVING;
      outbox.end(this::halfClose);
      calls.values().forEach(this::loseUnsent);
    }
    listener.left(this);
  }

  /** A closing server answers the requests that it has; unsent ones can go elsewhere at once. */
  private void loseUnsent(Call call) {
    if (call.loseUnsent(whyLost())) {
      calls.remove(call.id());
    }
  }

  private void halfClose() {
    try {
      stream.onCompleted();
    } catch (IllegalStateException over) {
      // The stream has ended meanwhile; onError or onCompleted has the reason.
    }
  }

  @Override
  public void onError(Throwable failure) {
    lost(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    lost(Status.UNAVAILABLE.withDescription("the server ended the session"));
  }

  private void lost(Status status) {
    lostWith = status;
    state = State.LOST;
    outbox.end(() -> {});
    loseCalls(whyLost());
    listener.left(this);
  }

  private void loseCalls(String why) {
    for (Call call : calls.values()) {
      calls.remove(call.id());
      call.lose(why);
    }
  }

  private String whyLost() {
    Status status = lostWith;
    String reason =
        status == null
            ? "the server is closing"
            : status.getDescription() == null
                ? status.getCode().toString()
                : status.getDescription();
    return "The connection to %s is lost: %s".formatted(address, reason);
  }

  /** Ends the session and all its calls, because {@code why}. */
  void close(String why) {
    state = State.LOST;
    for (Call call : calls.values()) {
      calls.remove(call.id());
      call.close(why);
    }
    outbox.end(() -> {});
    stream.cancel("closed by the client", null);
  }
}
