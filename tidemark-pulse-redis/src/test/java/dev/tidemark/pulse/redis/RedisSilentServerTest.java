package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that takes connections and says nothing. */
class RedisSilentServerTest extends PulseConformance {
  private static final int CALLERS = 40;

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private final CuttingProxy proxy = CuttingProxy.open();

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Override
  protected Pulse open() {
    proxy.target(SERVER.server().port());
    return RedisOptions.at("redis://127.0.0.1:" + proxy.port())
        .withConnectTimeout(Duration.ofSeconds(2))
        .withCommandTimeout(Duration.ofSeconds(1))
        .withOutageMax(Duration.ofSeconds(2))
        .connect();
  }

  @Test
  void callersDoNotWaitForTheAttemptsOfAllOthersToConnect() throws Exception {
    EventStream stream = pulse().stream("s");
    stream.add("e", bytes("1"));
    try (ServerSocket silent = new ServerSocket(0, CALLERS, InetAddress.getLoopbackAddress())) {
      proxy.target(silent.getLocalPort());
      proxy.loseReplies();

      int failed = within(Duration.ofSeconds(20), "all calls", () -> failuresOf(stream));

      assertThat(failed).isEqualTo(CALLERS);
    }
    proxy.target(SERVER.server().port());
    proxy.cutAll();
    eventually("it answers again", () -> isThere(stream));
  }

  private static int failuresOf(EventStream stream) throws InterruptedException {
    AtomicInteger failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      threads.add(Thread.ofVirtual().start(() -> failed.addAndGet(isThere(stream) ? 0 : 1)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return failed.get();
  }

  private static boolean isThere(EventStream stream) {
    try {
      return stream.length() == 1;
    } catch (PulseException outage) {
      return false;
    }
  }
}
