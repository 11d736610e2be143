package dev.tidemark.remote.internal;

import dev.tidemark.kv.Limits;
import dev.tidemark.remote.internal.wire.ClientFrame;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.ServerFrame;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import dev.tidemark.remote.internal.wire.Welcome;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One session with a server, from its begin to its loss. Replies come on a thread of the network,
 * which never waits here.
 */
final class Connection implements ClientResponseObserver<ClientFrame, ServerFrame> {
  private static final int CROWD = 8;

  private final String address;
  private final Listener listener;
  private final ConcurrentHashMap<Long, Call> calls = new ConcurrentHashMap<>();

  /** Set by {@link #beforeStart}, before anybody else knows this connection. */
  private Outbox<Call, ClientFrame> outbox;

  private ClientCallStreamObserver<ClientFrame> stream;
  private @Nullable Welcome welcome;
  private volatile State state = State.OPEN;
  private volatile @Nullable Status lostWith;

  private enum State {
    OPEN,
    /** The server takes no more requests; replies to earlier ones may still come. */
    LEAVING,
    LOST
  }

  /** What a connection tells its client. */
  interface Listener {
    /** No more requests go over {@code connection}. May be told twice. */
    void left(Connection connection);

    /** A reply that belongs to no call: to the watch {@code reply.getId()}. */
    void watchEnded(Reply reply);
  }

  @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart while the stream is being opened
  private Connection(String address, Listener listener) {
    this.address = address;
    this.listener = listener;
  }

  /** Opens a stream to the server; {@link #greet} has to follow. */
  static Connection open(StoreGrpc.StoreStub stub, String address, Listener listener) {
    Connection connection = new Connection(address, listener);
    stub.session(connection);
    return connection;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ClientFrame> requestStream) {
    stream = requestStream;
    outbox = new Outbox<>(requestStream, Call::size, Connection::frame, this::isCrowded, () -> {});
    requestStream.setOnReadyHandler(outbox::send);
  }

  /** Whether so many wait for replies that requests had better share frames. */
  private boolean isCrowded() {
    return calls.mappingCount() >= CROWD;
  }

  private static ClientFrame frame(List<Call> gathered) {
    ClientFrame.Builder frame = ClientFrame.newBuilder();
    for (Call call : gathered) {
      if (call.take()) {
        frame.addRequests(call.request());
      }
    }
    return frame.build();
  }

  /** Exchanges greetings, by which both sides learn what the other one is. */
  Welcome greet(Call hello, Duration timeout) {
    send(hello);
    Welcome answer = hello.await(timeout.toNanos()).getWelcome();
    welcome = answer;
    return answer;
  }

  /** The limits of the served database. */
  static Limits limits(Welcome welcome) {
    return new Limits(
        welcome.getKeyBytes(),
        welcome.getValueBytes(),
        welcome.getTransactionBytes(),
        Duration.ofNanos(welcome.getReadWindowNanos()),
        welcome.getWatches());
  }

  /** Longest frame that the server takes. */
  int frameBytes() {
    return welcome == null ? 0 : welcome.getFrameBytes();
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  boolean isLost() {
    return state == State.LOST;
  }

  /** Why the stream ended; null if it has not, or by the client's own will. */
  @Nullable Status lostWith() {
    return lostWith;
  }

  /**
   * Sends {@code call}. Where no other thread seems to be about, this one hands it to the network,
   * which saves a thread switch; the call that opened its reader does not count.
   */
  void send(Call call) {
    boolean alone = calls.mappingCount() <= 1;
    enqueue(call);
    if (alone) {
      outbox.sendHere();
    } else {
      outbox.send();
    }
  }

  /** Has {@code call} go out with whatever is sent next, which is soon. */
  void enqueue(Call call) {
    if (call.id() != 0) {
      calls.put(call.id(), call);
    }
    outbox.enqueue(call);
    if (state == State.LOST) {
      calls.remove(call.id());
      call.lose(whyLost());
    } else if (state == State.LEAVING) {
      loseUnsent(call);
    }
  }

  /** Sends {@code call}, whose replies, if there are any, go to the listener. */
  void sendWithoutCall(Call call) {
    outbox.enqueue(call);
    outbox.send();
  }

  /** Sends what is in line. */
  void flush() {
    outbox.send();
  }

  /** Ends calls that began before {@code tick}. */
  void expire(int tick, Duration timeout) {
    for (Call call : calls.values()) {
      if (call.isOlderThan(tick)) {
        calls.remove(call.id());
        call.lose("The server at %s did not answer within %s".formatted(address, timeout));
      }
    }
    flush();
  }

  @Override
  public void onNext(ServerFrame frame) {
    for (Reply reply : frame.getRepliesList()) {
      take(reply);
    }
  }

  private void take(Reply reply) {
    Call call = calls.get(reply.getId());
    if (call != null) {
      if (call.answer(reply)) {
        calls.remove(reply.getId());
      }
    } else if (reply.hasLeaving()) {
      leave();
    } else if (reply.hasFired() || reply.hasFailure()) {
      listener.watchEnded(reply);
    }
  }

  /** Sends nothing any more, and tells the server so, which answers what it has got. */
  private void leave() {
    if (state == State.OPEN) {
      state = State.LEAVING;
      outbox.end(this::halfClose);
      calls.values().forEach(this::loseUnsent);
    }
    listener.left(this);
  }

  /** A closing server answers what it was sent; what was not can go elsewhere at once. */
  private void loseUnsent(Call call) {
    if (call.loseUnsent(whyLost())) {
      calls.remove(call.id());
    }
  }

  private void halfClose() {
    try {
      stream.onCompleted();
    } catch (IllegalStateException over) {
      // The stream has ended meanwhile; onError or onCompleted tells why.
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
