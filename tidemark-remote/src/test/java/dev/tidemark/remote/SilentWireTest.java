package dev.tidemark.remote;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Watch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A wire over which nothing comes any more, though neither side is told that it is gone. Both tests
 * do little but wait for the clock of gRPC, and so do it at the same time.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SilentWireTest {
  private static final Key A = Key.utf8("a");

  private final EmbeddedDatabase served = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    served.close();
  }

  /**
   * Takes twenty seconds. For the first ten gRPC waits before it asks for a sign of life, however
   * little it is told to wait, and {@link RemoteOptions#keepAlive} is the wait for the answer too.
   */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void clientFindsOutAndItsWatchesGoOn() {
    try (DatabaseServer server = DatabaseServer.open(served);
        TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client = RemoteDatabase.connect(wire.uri());
        Watch watch = client.transact(tx -> tx.watch(A))) {
      eventually("the watch is set", () -> server.statistics().watches() == 1);
      wire.goSilent();
      served.run(tx -> tx.set(A, new byte[1]));
      assertThat(watch.await(Duration.ofMinutes(1))).isTrue();
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void serverFindsOutAndFreesWhatTheClientHeld() {
    try (DatabaseServer server =
            DatabaseServer.open(served, o -> o.withSlowClientTimeout(Duration.ofSeconds(1)));
        TcpProxy wire = TcpProxy.to(server);
        RemoteDatabase client =
            RemoteDatabase.connect(wire.uri(), o -> o.withKeepAlive(Duration.ofMinutes(5)));
        Watch watch = client.transact(tx -> tx.watch(A))) {
      eventually("the watch is set", () -> server.statistics().watches() == 1);
      wire.goSilent();
      eventually("the client is gone", () -> server.statistics().clients() == 0);
      assertThat(server.statistics().watches()).isZero();
      assertThat(server.statistics().clientsSeen()).isEqualTo(1);
      assertThat(watch.fired()).isFalse();
    }
  }
}
