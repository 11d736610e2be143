package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sinks of several streams that are closed while the server does not answer. */
class RedisSinkCloseTest extends PulseConformance {
  private static final int STREAMS = 8;
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

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
        .withCommandTimeout(COMMAND_TIMEOUT)
        .connect();
  }

  @Test
  void silentServerIsWaitedForOnceForAllStreamsOfASink() throws Exception {
    Sink sink = sinkOfManyStreams();

    proxy.loseReplies();
    within(
        COMMAND_TIMEOUT.multipliedBy(3),
        "close",
        () -> {
          sink.close();
          return sink;
        });

    assertThat(sink.isClosed()).isTrue();
  }

  @Test
  void consumersOfAllStreamsAreGoneWhenTheSinkIsClosed() {
    sinkOfManyStreams().close();

    for (int i = 0; i < STREAMS; i++) {
      assertThat(SERVER.server().command("XINFO", "CONSUMERS", "pulse:stream:s" + i, "billing"))
          .doesNotContain("name");
    }
  }

  @Test
  void closedSinkLeavesItsConnectionToTheNextOne() {
    EventStream stream = pulse().stream("s0");
    stream.sink("billing").close();
    long before = connectionsSoFar();
    for (int i = 0; i < STREAMS; i++) {
      stream.sink("billing").close();
    }

    assertThat(connectionsSoFar() - before).as("with the one that asks").isOne();
  }

  private static long connectionsSoFar() {
    Matcher found =
        Pattern.compile("total_connections_received:(\\d+)")
            .matcher(SERVER.server().command("INFO", "stats"));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }

  @Test
  void sinkThatIsClosedWhileItWaitsTakesNothingFromTheNextOne() throws Exception {
    EventStream stream = pulse().stream("s0");
    Sink first = stream.sink("billing", o -> o.withBlock(PATIENCE));
    Thread waits = Thread.ofVirtual().start(first::read);
    eventually(
        "the read waits",
        () -> SERVER.server().command("INFO", "clients").contains("blocked_clients:1"));
    first.close();
    assertThat(waits.join(PATIENCE)).isTrue();

    try (Sink second = stream.sink("billing", o -> o.withBlock(PATIENCE))) {
      stream.add("e", bytes("1"));
      assertThat(within(PATIENCE, "read", second::read)).hasSize(1);
    }
  }

  private Sink sinkOfManyStreams() {
    Pulse pulse = pulse();
    EventStream first = pulse.stream("s0");
    Sink sink =
        first.sink("billing", o -> o.withStart(Start.oldest()).withBlock(Duration.ofMillis(100)));
    for (int i = 1; i < STREAMS; i++) {
      sink.addStream(pulse.stream("s" + i));
    }
    return sink;
  }
}
