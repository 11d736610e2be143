package dev.tidemark.remote.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Address;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteOptions;
import dev.tidemark.remote.internal.transport.Wire;
import dev.tidemark.remote.internal.wire.Hello;
import dev.tidemark.remote.internal.wire.Request;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a client comes to its next connection. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ServerLineTest {
  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();
  private final AtomicLong ids = new AtomicLong();
  private DatabaseServer server = DatabaseServer.open(served);

  @AfterEach
  void close() {
    server.close();
    served.close();
  }

  private ServerLine line(RemoteOptions options, Runnable onConnected) {
    return new ServerLine(
        Address.parse(server.uri(), 7420),
        options,
        new ServerTime(options.time()),
        this::hello,
        onConnected,
        reply -> {});
  }

  private Call hello() {
    Request hello =
        Request.newBuilder()
            .setId(ids.incrementAndGet())
            .setHello(Hello.newBuilder().setProtocol(Wire.PROTOCOL))
            .build();
    return new Call(hello.getId(), RequestFields.of(hello), 0);
  }

  @Test
  void pausesBetweenAttemptsGrowUpToTheLongest() throws Exception {
    CountedPauses time = new CountedPauses(9);
    try (ServerLine line = line(RemoteOptions.DEFAULTS.withTime(time), () -> {})) {
      line.dial();
      server.close();
      for (long longest : new long[] {20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000}) {
        assertThat(time.next())
            .isBetween(Duration.ofMillis(longest / 2), Duration.ofMillis(longest));
      }
    } finally {
      time.end();
    }
  }

  /**
   * A clock whose sleepers go on at once, a number of times, and that tells how long they would.
   */
  private static final class CountedPauses implements TimeSource {
    private final BlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();
    private final Semaphore allowed;

    CountedPauses(int count) {
      this.allowed = new Semaphore(count);
    }

    Duration next() throws InterruptedException {
      Duration pause = pauses.poll(20, TimeUnit.SECONDS);
      assertThat(pause).as("a pause").isNotNull();
      return pause;
    }

    /** Nobody is kept asleep any more. */
    void end() {
      allowed.release(1_000);
    }

    @Override
    public long wallMicros() {
      return TimeSource.system().wallMicros();
    }

    @Override
    public long nanos() {
      return TimeSource.system().nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      pauses.add(duration);
      allowed.acquire();
    }
  }

  @Test
  void whateverFailsWhileConnectingIsTriedAgain() throws Exception {
    CountDownLatch connections = new CountDownLatch(3);
    Runnable onConnected =
        () -> {
          connections.countDown();
          if (connections.getCount() == 1) {
            throw new IllegalStateException("As injected");
          }
        };
    try (ServerLine line = line(RemoteOptions.DEFAULTS, onConnected)) {
      line.dial();
      int port = server.port();
      server.close();
      server = DatabaseServer.open(served, o -> o.withPort(port));
      assertThat(connections.await(20, TimeUnit.SECONDS)).as("a third connection").isTrue();
      assertThat(line.connection(Long.MAX_VALUE).isOpen()).isTrue();
    }
  }
}
