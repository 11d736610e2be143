package dev.tidemark.testkit.spanner;

import com.google.spanner.admin.instance.v1.InstanceAdminGrpc;
import com.google.spanner.admin.instance.v1.ListInstanceConfigsRequest;
import com.google.spanner.admin.instance.v1.ListInstanceConfigsResponse;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The part of Cloud Spanner's service that a reader of a change stream talks to, on a port of the
 * loopback address: sessions, the dialect, the time, and queries of change streams as a {@link
 * SpannerScript} answers them. It keeps no tables. Programs treat it as an emulator.
 *
 * <p>The service's interface is not included: a user of this class adds {@code
 * com.google.cloud:google-cloud-spanner} on the class path.
 */
public final class FakeSpanner implements AutoCloseable {
  private static final int DEADLINE_SECONDS = 10;

  private final Server server;
  private final ExecutorService threads;
  private final FakeSpannerService service;

  private FakeSpanner(Server server, ExecutorService threads, FakeSpannerService service) {
    this.server = server;
    this.threads = threads;
    this.service = service;
  }

  /** A database of GoogleSQL. */
  public static FakeSpanner googleSql(SpannerScript script) {
    return start(new FakeSpannerService(script, false));
  }

  /** A database of PostgreSQL's dialect. */
  public static FakeSpanner postgreSql(SpannerScript script) {
    return start(new FakeSpannerService(script, true));
  }

  private static FakeSpanner start(FakeSpannerService service) {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      Server server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .executor(threads)
              .maxConcurrentCallsPerConnection(100)
              .addService(service)
              .addService(new NoInstances())
              .build()
              .start();
      return new FakeSpanner(server, threads, service);
    } catch (IOException failure) {
      threads.close();
      throw new UncheckedIOException("The fake of Spanner does not start", failure);
    }
  }

  /** Google's client asks for these when it connects to an emulator, to see whether it is there. */
  private static final class NoInstances extends InstanceAdminGrpc.InstanceAdminImplBase {
    @Override
    public void listInstanceConfigs(
        ListInstanceConfigsRequest request, StreamObserver<ListInstanceConfigsResponse> answer) {
      answer.onNext(ListInstanceConfigsResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  /** Where it listens, as host and port. */
  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** How many queries of change streams have come, repeated ones included. */
  public int queries() {
    return service.queries();
  }

  /** How many queries of change streams are open. */
  public int openQueries() {
    return service.openQueries();
  }

  /** Cancels all queries and ends the service. */
  @Override
  public void close() {
    server.shutdownNow();
    threads.shutdownNow();
    try {
      if (!server.awaitTermination(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "The fake of Spanner did not end within %d s".formatted(DEADLINE_SECONDS));
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
