package dev.tidemark.remote.internal;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.internal.BufferedTransaction;
import dev.tidemark.remote.Role;
import dev.tidemark.remote.ServerOptions;
import dev.tidemark.remote.ServerSecurity;
import dev.tidemark.remote.ServerStatistics;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** One listening server and its sessions. */
public final class StoreServer implements AutoCloseable {
  private static final int FRAME_BYTES_MIN = 4 << 20;

  /** A client that lives may take so long to say so on a busy machine. */
  private static final long KEEP_ALIVE_MIN_MILLIS = 5_000;

  /** Sessions and health checks on one connection; a client of ours has one session. */
  private static final int CALLS_MAX = 100;

  /** Connections beside those of clients, such as for health checks. */
  private static final int CONNECTIONS_SPARE = 100;

  private static final long KEEP_ALIVE_PERMITTED_SECONDS = 5;
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

  /** The last session of each client that has told an id. */
  private final ConcurrentHashMap<ByteString, Session> newest = new ConcurrentHashMap<>();

  private final HealthStatusManager health = new HealthStatusManager();
  private final NetworkThreads threads;
  private final Server server;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Held by who closes the server; taken before {@code lock}. */
  private final ReentrantLock closing = new ReentrantLock();

  private volatile int port;
  private volatile boolean closed;

  private StoreServer(
      Database database, ServerOptions options, InetSocketAddress address, NetworkThreads threads) {
    this.database = database;
    this.options = options;
    this.threads = threads;
    this.store = ServedStore.of(database);
    this.frameBytes =
        Math.clamp(4 * database.limits().transactionBytes(), FRAME_BYTES_MIN, Integer.MAX_VALUE);
    this.room = new SharedRoom(options.bytes(), options.clients());
    this.server =
        threads
            .serve(NettyServerBuilder.forAddress(address, Credentials.of(options.security())))
            .executor(isPrompt(database) ? Runnable::run : Thread::startVirtualThread)
            .maxInboundMessageSize(frameBytes)
            .maxConcurrentCallsPerConnection(CALLS_MAX)
            .flowControlWindow(Wire.WINDOW_BYTES)
            .addStreamTracerFactory(new ByteCounting(counters))
            .addTransportFilter(new ConnectionLimit(connectionsMax(options.clients())))
            .keepAliveTime(keepAliveMillis(options), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(keepAliveMillis(options), TimeUnit.MILLISECONDS)
            .maxConnectionIdle(options.slowClientTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(KEEP_ALIVE_PERMITTED_SECONDS, TimeUnit.SECONDS)
            .addService(
                ServerInterceptors.intercept(service(), new Doorkeeper(options.tokens(), counters)))
            .addService(health.getHealthService())
            .build();
    tellHealth();
  }

  private static long keepAliveMillis(ServerOptions options) {
    return Math.max(KEEP_ALIVE_MIN_MILLIS, options.slowClientTimeout().toMillis());
  }

  /** Leaves room for clients that are refused, or come again before their end is known. */
  private static int connectionsMax(int clients) {
    return (int) Math.min(2L * clients + CONNECTIONS_SPARE, Integer.MAX_VALUE);
  }

  /**
   * Whether sessions can be served by the threads of the network, which must not wait: whether
   * transactions begin, commits get in line and values are looked for in memory without a wait.
   */
  private static boolean isPrompt(Database database) {
    try (Transaction tx = database.begin()) {
      return tx instanceof BufferedTransaction buffered && buffered.commitsLater();
    }
  }

  /** Serves {@code database}. */
  public static StoreServer open(Database database, ServerOptions options) {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw UsageException.invalidOption(
          "The host \"%s\" is not known; give an address of this machine"
              .formatted(options.host()));
    }
    if (options.security() instanceof ServerSecurity.PlainText(boolean beyondLoopback)
        && !beyondLoopback
        && !address.getAddress().isLoopbackAddress()) {
      throw UsageException.invalidOption(
          ("Plain text on %s could be read on its way. Use TLS (ServerOptions.withTls), or allow it"
                  + " with ServerOptions.withPlainTextBeyondLoopback")
              .formatted(options.host()));
    }
    NetworkThreads threads = new NetworkThreads();
    try {
      StoreServer server = new StoreServer(database, options, address, threads);
      server.start(address);
      return server;
    } catch (RuntimeException | Error failure) {
      threads.close();
      throw failure;
    }
  }

  private void start(InetSocketAddress address) {
    try {
      port = server.start().getPort();
    } catch (IOException failure) {
      throw new UnavailableException(
          Failures.PROCESS_BEHIND,
          "The server cannot listen on %s: %s. Is the port taken?"
              .formatted(address, rootOf(failure).getMessage()),
          failure);
    }
    Thread.startVirtualThread(this::keepTime);
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** The address for clients on this machine. */
  public URI uri() {
    boolean encrypted = !(options.security() instanceof ServerSecurity.PlainText);
    boolean everywhere = new InetSocketAddress(options.host(), 0).getAddress().isAnyLocalAddress();
    return new Address(everywhere ? "localhost" : options.host(), port(), encrypted).toUri();
  }

  /** How this server works. */
  public ServerOptions options() {
    return options;
  }

  /** What it has done. */
  public ServerStatistics statistics() {
    return counters.statistics(
        places.get(), sessions.stream().mapToLong(Session::bytesWaiting).sum(), room.held());
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

  NetworkThreads threads() {
    return threads;
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
        .build();
  }

  private StreamObserver<Frame> newSession(StreamObserver<Frame> replies) {
    Role role = Doorkeeper.ROLE.get();
    Session session =
        new Session(
            this, role, ByteCounting.INCOMING.get(), (ServerCallStreamObserver<Frame>) replies);
    sessions.add(session);
    counters.clientsSeen.increment();
    int openNow = open.incrementAndGet();
    session.start();
    if (closed) {
      session.cutOff(Status.UNAVAILABLE.withDescription("the server is closing"));
    } else if (openNow > connectionsMax(options.clients())) {
      // Who comes is known by the greeting: it may be a client that has a place already.
      session.refuse(tooManyClients());
    }
    return session;
  }

  private void keepTime() {
    long tickNanos = options.slowClientTimeout().toNanos() / Patience.TICKS;
    while (!awaitClosed(tickNanos)) {
      sessions.forEach(Session::tick);
      tellHealth();
    }
  }

  private void tellHealth() {
    ServingStatus status = isOpen(database) ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    health.setStatus(StoreGrpc.SERVICE_NAME, status);
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
    // Who closes second may close the database next, so it waits for the first.
    closing.lock();
    try {
      if (!closed) {
        drainAndClose();
      }
    } finally {
      closing.unlock();
    }
  }

  private void drainAndClose() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    health.enterTerminalState();
    server.shutdown();
    sessions.forEach(Session::leave);
    boolean interrupted = !awaitDone();
    sessions.forEach(
        session -> session.cutOff(Status.UNAVAILABLE.withDescription("the server was closed")));
    interrupted |= !awaitEnd();
    server.shutdownNow();
    threads.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until every client has its replies and has said that it leaves; false if interrupted. */
  private boolean awaitDone() {
    // Not the database's clock, which may stand in a test: the clients are real.
    TimeSource clock = TimeSource.system();
    long begin = clock.nanos();
    long patience = options.drainTimeout().toNanos();
    lock.lock();
    try {
      while (clock.nanos() - begin < patience && !sessions.stream().allMatch(Session::isDone)) {
        changed.awaitNanos(DRAIN_LOOK_NANOS);
      }
      return true;
    } catch (InterruptedException interrupt) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitEnd() {
    try {
      server.awaitTermination(1, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException interrupt) {
      return false;
    }
  }
}
