package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.grpc.Caller;
import dev.tidemark.grpc.GrpcListener;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServedApi;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.remote.ServerOptions;
import dev.tidemark.remote.ServerStatistics;
import dev.tidemark.remote.internal.transport.Frame;
import dev.tidemark.remote.internal.transport.FrameMarshaller;
import dev.tidemark.remote.internal.transport.TimerStep;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One listening server and its sessions. */
public final class StoreServer implements AutoCloseable {
  private static final int FRAME_BYTES_MIN = 4 << 20;

  /** Sessions and health checks on one connection; a client of ours has one session. */
  private static final int CALLS_MAX = 100;

  /** Connections beside those of clients, such as for health checks. */
  private static final int CONNECTIONS_SPARE = 100;

  private static final long DRAIN_LOOK_NANOS = 1_000_000;

  private final Database database;
  private final ServerOptions options;
  private final int frameBytes;
  private final ServedStore store;
  private final ServerCounters counters = new ServerCounters();
  private final SharedRoom room;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  /** How many sessions there are, greeted or not. */
  private final AtomicInteger open = new AtomicInteger();

  /** Sessions that have greeted and count as clients, and how many of them there are. */
  private final Set<Session> placed = ConcurrentHashMap.newKeySet();

  private final AtomicInteger places = new AtomicInteger();

  /** The last session of each client with an id. */
  private final ConcurrentHashMap<ByteString, Session> newest = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private final ServedBackups backups;
  private final GrpcListener listener;
  private volatile boolean closed;

  private StoreServer(Database database, ServerOptions options) {
    this.database = database;
    this.options = options;
    this.store = ServedStore.of(database);
    this.frameBytes =
        Math.clamp(4 * database.limits().transactionBytes(), FRAME_BYTES_MIN, Integer.MAX_VALUE);
    this.backups = new ServedBackups(database, options.slowClientTimeout());
    this.room = new SharedRoom(options.bytes(), options.clients());
    // Last: clients may come before it returns.
    this.listener =
        GrpcListener.open(
            api(), options.listener().withConnections(connectionsMax(options.clients())));
    tellHealth();
  }

  private ServedApi api() {
    ServedApi api =
        ServedApi.of(service(), Role.READ)
            .withRole(StoreGrpc.getBackupMethod(), Role.OPERATOR)
            .withMessageBytes(frameBytes)
            .withCallsPerConnection(CALLS_MAX)
            .withTracer(new ByteCounting(counters))
            .withDrain(this::endSessions);
    return isPrompt(database) ? api.withHandlersOnNetworkThreads() : api;
  }

  /**
   * Leaves room for clients that are refused, or reconnect before the end of their old connection
   * is noticed.
   */
  private static int connectionsMax(int clients) {
    return (int) Math.min(2L * clients + CONNECTIONS_SPARE, Integer.MAX_VALUE);
  }

  /**
   * Whether the threads of the network, which must not block, can serve sessions: whether
   * transactions begin, commits are enqueued and values are looked up in memory without a wait.
   */
  private static boolean isPrompt(Database database) {
    try (Transaction tx = database.begin()) {
      return tx instanceof PromptTransaction;
    }
  }

  /** Serves {@code database}. */
  public static StoreServer open(Database database, ServerOptions options) {
    StoreServer server = new StoreServer(database, options);
    Thread.startVirtualThread(server::keepTime);
    return server;
  }

  /** The port it listens on. */
  public int port() {
    return listener.port();
  }

  /** The address for clients on this machine. */
  public URI uri() {
    return listener.address().toUri();
  }

  /** How this server works. */
  public ServerOptions options() {
    return options;
  }

  /** What it has done. */
  public ServerStatistics statistics() {
    return counters.statistics(
        places.get(),
        listener.statistics(),
        sessions.stream().mapToLong(Session::bytesWaiting).sum(),
        room.held());
  }

  Database database() {
    return database;
  }

  ServedStore store() {
    return store;
  }

  int frameBytes() {
    return frameBytes;
  }

  SharedRoom room() {
    return room;
  }

  ServerCounters counters() {
    return counters;
  }

  /**
   * Notes that a client has begun {@code session}, and ends the one that it had, whose place it
   * gets: the server may not have noticed yet that the connection of that one is gone. Refuses the
   * client, and returns false, if there is no place for it.
   */
  boolean greeted(Session session) {
    ByteString client = session.clientId();
    Session before = client.isEmpty() ? null : newest.put(client, session);
    if (before != null && before != session) {
      if (placed.remove(before)) {
        placed.add(session);
      }
      before.replace();
    }
    boolean hasPlace = placed.contains(session) || takePlace(session);
    if (!hasPlace) {
      session.refuse(tooManyClients());
    }
    if (!hasPlace || !sessions.contains(session)) {
      forget(session); // It has ended meanwhile.
    }
    return hasPlace;
  }

  private boolean takePlace(Session session) {
    int most = options.clients();
    boolean free = places.getAndUpdate(taken -> Math.min(taken + 1, most)) < most;
    if (free) {
      placed.add(session);
    }
    return free;
  }

  private void forget(Session session) {
    newest.remove(session.clientId(), session);
    if (placed.remove(session)) {
      places.decrementAndGet();
    }
  }

  private Status tooManyClients() {
    return Status.RESOURCE_EXHAUSTED.withDescription(
        "the server has %,d clients, which is its limit (ServerOptions.clients)"
            .formatted(options.clients()));
  }

  void ended(Session session) {
    if (sessions.remove(session)) {
      open.decrementAndGet();
      forget(session);
    }
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(StoreGrpc.SERVICE_NAME)
        .addMethod(FrameMarshaller.SESSION, ServerCalls.asyncBidiStreamingCall(this::newSession))
        .addMethod(
            StoreGrpc.getBackupMethod(), ServerCalls.asyncServerStreamingCall(backups::serve))
        .build();
  }

  private StreamObserver<Frame> newSession(StreamObserver<Frame> replies) {
    Session session =
        new Session(
            this,
            Caller.current(),
            ByteCounting.INCOMING.get(),
            (ServerCallStreamObserver<Frame>) replies);
    sessions.add(session);
    counters.clientsSeen.increment();
    int openNow = open.incrementAndGet();
    session.start();
    if (closed) {
      session.cutOff(Status.UNAVAILABLE.withDescription("the server is closing"));
    } else if (openNow > connectionsMax(options.clients())) {
      // Only the greeting identifies a client: it may be one that has a place already.
      session.refuse(tooManyClients());
    }
    return session;
  }

  private void keepTime() {
    long tickNanos = options.slowClientTimeout().toNanos() / Patience.TICKS;
    while (!awaitClosed(tickNanos)) {
      sessions.forEach(session -> TimerStep.take(session::tick));
      TimerStep.take(this::tellHealth);
    }
  }

  private void tellHealth() {
    listener.setServing(isOpen(database));
  }

  private static boolean isOpen(Database database) {
    try {
      database.begin().close();
      return true;
    } catch (RuntimeException unable) {
      return false;
    }
  }

  private boolean awaitClosed(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      return closed;
    } catch (InterruptedException interrupt) {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    listener.close();
  }

  private void endSessions(Duration patience) throws InterruptedException {
    sessions.forEach(Session::leave);
    backups.cutOff();
    try {
      awaitDone(patience.toNanos());
    } finally {
      sessions.forEach(
          session -> session.cutOff(Status.UNAVAILABLE.withDescription("the server was closed")));
    }
  }

  /** Waits until every client has its replies and has left. */
  private void awaitDone(long patience) throws InterruptedException {
    // Real time, not the database's clock: the clients are real.
    TimeSource clock = TimeSource.system();
    long begin = clock.nanos();
    lock.lock();
    try {
      while (clock.nanos() - begin < patience && !sessions.stream().allMatch(Session::isDone)) {
        changed.awaitNanos(DRAIN_LOOK_NANOS);
      }
    } finally {
      lock.unlock();
    }
  }
}
