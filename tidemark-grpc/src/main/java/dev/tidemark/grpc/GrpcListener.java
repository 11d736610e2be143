package dev.tidemark.grpc;

import dev.tidemark.grpc.internal.security.Credentials;
import dev.tidemark.grpc.internal.security.PlainTextRule;
import dev.tidemark.grpc.internal.security.TokenRule;
import dev.tidemark.grpc.internal.server.ConnectionLimit;
import dev.tidemark.grpc.internal.server.Doorkeeper;
import dev.tidemark.grpc.internal.server.NetworkMemory;
import dev.tidemark.grpc.internal.server.NetworkThreads;
import dev.tidemark.grpc.internal.server.OpenCalls;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A port that serves gRPC, with TLS, access tokens with roles, a limit of connections and gRPC's
 * health protocol.
 *
 * <p>The owner closes it: {@link #close} lets open streams and calls end.
 */
public final class GrpcListener implements AutoCloseable {
  /** The time in which a live client on a busy machine answers a keep-alive. */
  private static final long KEEP_ALIVE_MIN_MILLIS = 5_000;

  private static final long KEEP_ALIVE_PERMITTED_SECONDS = 5;

  /**
   * The connection of a client that cancels more calls than this is closed: a cancelled call costs
   * the server more than the client.
   */
  private static final int RESETS_MAX = 2_000;

  private static final int RESETS_SECONDS = 10;

  /** How long connections may take to end after their calls. */
  private static final long END_SECONDS = 1;

  private final ListenerOptions options;
  private final ServedApi api;
  private final NetworkThreads threads;
  private final Doorkeeper doorkeeper;
  private final ConnectionLimit connections;
  private final OpenCalls calls;
  private final NetworkMemory memory;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Server server;

  /** Held by the thread that closes. */
  private final ReentrantLock closing = new ReentrantLock();

  private boolean closed;
  private volatile int port;

  private GrpcListener(
      ServedApi api, ListenerOptions options, InetSocketAddress address, NetworkThreads threads) {
    this.api = api;
    this.options = options;
    this.threads = threads;
    this.connections = new ConnectionLimit(options.connections());
    this.calls = new OpenCalls(api.roles().keySet());
    this.memory = new NetworkMemory(options.networkBytes(), threads.timer());
    this.doorkeeper =
        new Doorkeeper(
            options.tokens(), api.roles(), role -> new Caller(role, threads.current(), memory));
    this.server = build(address);
    setServing(true);
  }

  private Server build(InetSocketAddress address) {
    long keepAlive = Math.max(KEEP_ALIVE_MIN_MILLIS, options.silenceTimeout().toMillis());
    NettyServerBuilder builder =
        threads
            .serve(
                NettyServerBuilder.forAddress(address, Credentials.of(options.security())), memory)
            .executor(api.onNetworkThreads() ? Runnable::run : Thread::startVirtualThread)
            .maxInboundMessageSize(api.messageBytes())
            .maxConcurrentCallsPerConnection(api.callsPerConnection())
            .flowControlWindow(GrpcChannel.WINDOW_BYTES)
            .addStreamTracerFactory(calls)
            .addTransportFilter(connections)
            .maxRstFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
            .keepAliveTime(keepAlive, TimeUnit.MILLISECONDS)
            .keepAliveTimeout(keepAlive, TimeUnit.MILLISECONDS)
            .maxConnectionIdle(options.silenceTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(KEEP_ALIVE_PERMITTED_SECONDS, TimeUnit.SECONDS)
            .addService(health.getHealthService());
    api.tracers().forEach(builder::addStreamTracerFactory);
    api.services()
        .forEach(service -> builder.addService(ServerInterceptors.intercept(service, doorkeeper)));
    return builder.build();
  }

  /**
   * Serves {@code api}.
   *
   * @throws UsageException if plain text would leave the machine, or everybody beyond it could do
   *     everything, without being asked to; if the host is not known, or a certificate cannot be
   *     read
   * @throws UnavailableException if the port is taken
   */
  public static GrpcListener open(ServedApi api, ListenerOptions options) {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw UsageException.invalidOption(
          "The host \"%s\" is not known; give an address of this machine"
              .formatted(options.host()));
    }
    PlainTextRule.check(address, options.security());
    TokenRule.check(address, options);
    NetworkThreads threads = new NetworkThreads();
    try {
      GrpcListener listener = new GrpcListener(api, options, address, threads);
      listener.start(address);
      return listener;
    } catch (RuntimeException | Error failure) {
      threads.close();
      throw failure;
    }
  }

  private void start(InetSocketAddress address) {
    try {
      port = server.start().getPort();
    } catch (IOException failure) {
      throw UnavailableException.unreachable(
          "The server cannot listen on %s: %s. Is the port taken?"
              .formatted(address, rootOf(failure).getMessage()),
          failure);
    }
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

  /** Its address, as seen from this machine. */
  public Address address() {
    boolean encrypted = !(options.security() instanceof ServerSecurity.PlainText);
    boolean everywhere = new InetSocketAddress(options.host(), 0).getAddress().isAnyLocalAddress();
    return new Address(everywhere ? "localhost" : options.host(), port, encrypted);
  }

  /** The options that this listener was opened with. */
  public ListenerOptions options() {
    return options;
  }

  /** What it has now, and what it has refused. */
  public ListenerStatistics statistics() {
    return new ListenerStatistics(
        connections.open(),
        connections.refused(),
        memory.closed(),
        calls.count(),
        doorkeeper.refused(),
        memory.used());
  }

  /**
   * Sets what the health service answers for this server and its services: by default, serving from
   * the open to the close.
   */
  public void setServing(boolean able) {
    ServingStatus status = able ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    api.services()
        .forEach(service -> health.setStatus(service.getServiceDescriptor().getName(), status));
  }

  /**
   * Accepts no further connections, lets the layer end its streams, waits for open calls, at most
   * {@link ListenerOptions#drainTimeout} in all, and ends all connections. Can be called again, and
   * from several threads: a second call waits for the first.
   */
  @Override
  public void close() {
    closing.lock();
    try {
      if (!closed) {
        closed = true;
        drainAndClose();
      }
    } finally {
      closing.unlock();
    }
  }

  private void drainAndClose() {
    health.enterTerminalState();
    server.shutdown();
    boolean interrupted;
    try {
      interrupted = isInterrupted(this::drain);
      // Also after an interrupt: the last replies have to reach the clients.
      interrupted |= isInterrupted(() -> server.awaitTermination(END_SECONDS, TimeUnit.SECONDS));
    } finally {
      server.shutdownNow();
      threads.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void drain() throws InterruptedException {
    // Real time, not an injected clock: the clients are real.
    TimeSource clock = TimeSource.system();
    long begin = clock.nanos();
    Duration patience = options.drainTimeout();
    api.drain().endStreams(patience);
    calls.awaitNone(patience.toNanos() - (clock.nanos() - begin));
  }

  private interface Wait {
    void run() throws InterruptedException;
  }

  private static boolean isInterrupted(Wait wait) {
    try {
      wait.run();
      return false;
    } catch (InterruptedException interrupt) {
      return true;
    }
  }
}
