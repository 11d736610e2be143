package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.PATIENCE;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.testkit.ManualTime;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server that is closed while it is used. */
class ServerCloseTest extends ServedCase {
  private static final Key COUNT = Key.utf8("count");
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

  /** Longer than any test may take. */
  private static final Duration AGES = Duration.ofMinutes(2);

  @Test
  @EnabledOnOs(OS.LINUX)
  void serversThatCannotListenLeaveNothingOpen() throws Exception {
    openOnTakenPort(); // What is made once for all is made here.
    long before = openFiles();
    for (int i = 0; i < 20; i++) {
      openOnTakenPort();
    }
    assertThat(openFiles()).isLessThan(before + 20);
  }

  private void openOnTakenPort() {
    assertThatThrownBy(() -> DatabaseServer.open(served, o -> o.withPort(server.port())))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("Is the port taken?");
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  @Test
  void everyCommitIsAnsweredThoughTheServerCloses() throws Exception {
    int threads = 8;
    CountDownLatch working = new CountDownLatch(threads);
    try (RemoteDatabase client =
            RemoteDatabase.connect(server.uri(), o -> o.withRequestTimeout(Duration.ofSeconds(3)));
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> commitUntilUnavailable(client, working)));
      }
      assertThat(working.await(30, TimeUnit.SECONDS)).isTrue();
      server.close();
      long acknowledged = 0;
      for (Future<Long> worker : workers) {
        acknowledged += worker.get(30, TimeUnit.SECONDS);
      }
      byte[] count = served.read(tx -> tx.get(COUNT).orElseThrow());
      assertThat(ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).getLong())
          .isEqualTo(acknowledged);
    }
  }

  /** A result that is unknown ends the worker with its exception, and so the test. */
  private static long commitUntilUnavailable(RemoteDatabase client, CountDownLatch working) {
    for (long commits = 0; ; commits++) {
      try (Transaction tx = client.begin()) {
        tx.mutate(MutationType.ADD, COUNT, ONE);
        tx.commit();
      } catch (UnavailableException closed) {
        return commits;
      }
      if (commits == 10) {
        working.countDown();
      }
    }
  }

  @Test
  void closedServerCanBeClosedAgainAndStillTellsItsAddress() {
    server.close();
    server.close();
    assertThat(server.uri().getPort()).isEqualTo(server.port()).isPositive();
    assertThat(server.statistics().clients()).isZero();
  }

  @Test
  void secondCloseReturnsWhenTheServerIsClosed() throws Exception {
    DatabaseServer other =
        DatabaseServer.open(served, o -> o.withDrainTimeout(Duration.ofSeconds(1)));
    try (RawClient stubborn = RawClient.reading(other).greet()) {
      assertThat(stubborn.reply().hasWelcome()).isTrue();
      Thread first = Thread.startVirtualThread(other::close);
      assertThat(stubborn.reply().hasLeaving()).isTrue();
      other.close();
      assertThat(other.statistics().clients()).isZero();
      first.join();
    }
  }

  @Test
  void clientThatStaysIsWaitedForByTheMachinesClockAndThenCutOff() throws Exception {
    Duration drain = Duration.ofMillis(200);
    // Its clock stands, and would never bring the end.
    try (EmbeddedDatabase still =
            EmbeddedDatabase.inMemory(o -> o.withTime(ManualTime.standing()));
        DatabaseServer other = DatabaseServer.open(still, o -> o.withDrainTimeout(drain));
        RawClient stubborn = RawClient.reading(other).greet()) {
      assertThat(stubborn.reply().hasWelcome()).isTrue();
      long begin = System.nanoTime();
      assertThat(Thread.startVirtualThread(other::close).join(PATIENCE)).as("closed").isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(drain);
      assertThat(stubborn.reply().hasLeaving()).isTrue();
      assertThat(stubborn.end().getDescription()).contains("the server was closed");
    }
  }

  @Test
  void drainingEndsWithTheLastClientAndNotByTheClock() throws Exception {
    try (DatabaseServer other = DatabaseServer.open(served, o -> o.withDrainTimeout(AGES));
        RawClient first = RawClient.reading(other).greet();
        RawClient second = RawClient.reading(other).greet()) {
      first.reply();
      second.reply();
      Thread closing = Thread.startVirtualThread(other::close);
      assertThat(first.reply().hasLeaving()).isTrue();
      assertThat(second.reply().hasLeaving()).isTrue();
      first.sendNoMore();
      assertThat(closing.join(Duration.ofMillis(100)))
          .as("closed before the second left")
          .isFalse();
      second.sendNoMore();
      assertThat(closing.join(PATIENCE)).as("closed").isTrue();
    }
  }

  @Test
  void interruptEndsTheWaitForClients() throws Exception {
    try (DatabaseServer other = DatabaseServer.open(served, o -> o.withDrainTimeout(AGES));
        RawClient stubborn = RawClient.reading(other).greet()) {
      stubborn.reply();
      Runnable close = other::close;
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Thread closing =
          Thread.startVirtualThread(
              () -> {
                close.run();
                interrupted.complete(Thread.currentThread().isInterrupted());
              });
      assertThat(stubborn.reply().hasLeaving()).isTrue();
      closing.interrupt();
      assertThat(interrupted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(stubborn.end().getDescription()).contains("the server was closed");
    }
  }

  @Test
  void timesBeyondAllReasonAreRefused() {
    Duration ages = Duration.ofDays(400_000);
    assertThatThrownBy(() -> ServerOptions.DEFAULTS.withDrainTimeout(ages))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("drainTimeout");
    assertThatThrownBy(() -> ServerOptions.DEFAULTS.withSlowClientTimeout(ages))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("slowClientTimeout");
  }

  @Test
  void healthCheckSaysServingUntilTheServerCloses() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    try (RemoteDatabase idle = RemoteDatabase.connect(server.uri())) {
      Iterator<HealthCheckResponse> health =
          HealthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(30, TimeUnit.SECONDS)
              .watch(HealthCheckRequest.getDefaultInstance());
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      idle.read(tx -> tx.get(COUNT));
      Thread closing = Thread.startVirtualThread(server::close);
      assertThat(health.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      assertThat(closing).isNotNull();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void healthCheckKnowsTheServiceAndADatabaseThatIsClosed() {
    EmbeddedDatabase beneath = EmbeddedDatabase.inMemory();
    try (DatabaseServer shared =
        DatabaseServer.open(beneath, o -> o.withSlowClientTimeout(Duration.ofSeconds(1)))) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", shared.port()).usePlaintext().build();
      try {
        for (String service : List.of("", "tidemark.remote.v1.Store")) {
          assertThat(health(channel, service)).isEqualTo(ServingStatus.SERVING);
        }
        beneath.close();
        for (String service : List.of("", "tidemark.remote.v1.Store")) {
          eventually(
              "it says that it does not serve",
              () -> health(channel, service) == ServingStatus.NOT_SERVING);
        }
      } finally {
        channel.shutdownNow();
      }
    } finally {
      beneath.close();
    }
  }

  private static ServingStatus health(ManagedChannel channel, String service) {
    return HealthGrpc.newBlockingStub(channel)
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  @Test
  void statisticsCountWhatClientsDo() {
    try (RemoteDatabase client = RemoteDatabase.connect(server.uri())) {
      client.run(tx -> tx.set(COUNT, ONE));
      ServerStatistics statistics = server.statistics();
      assertThat(statistics.clients()).isEqualTo(1);
      assertThat(statistics.commits()).isEqualTo(1);
      assertThat(statistics.requests()).isGreaterThanOrEqualTo(2);
      assertThat(statistics.bytesReceived()).isPositive();
      assertThat(statistics.bytesSent()).isPositive();
    }
  }
}
