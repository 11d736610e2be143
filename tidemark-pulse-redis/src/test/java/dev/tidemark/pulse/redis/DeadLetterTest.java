package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that are put aside, and acknowledged at the same moment. */
class DeadLetterTest extends PulseConformance {
  private static final String LOOK =
      "return {redis.call('XLEN', KEYS[1]), redis.call('XPENDING', KEYS[2], 'billing')[1]}";

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static SinkOptions once(SinkOptions options) {
    return options
        .withStart(Start.oldest())
        .withBlock(Duration.ofMillis(50))
        .withAckGrace(Duration.ofMillis(100))
        .withDeliveriesMax(1);
  }

  /** How many dead letters there are and how many events are not acknowledged, at one moment. */
  private static String lettersAndPending() {
    return SERVER
        .server()
        .command("EVAL", LOOK, "2", "pulse:stream:orders:dead", "pulse:stream:orders");
  }

  @Test
  void eventIsNeverBothPendingAndADeadLetter() throws InterruptedException {
    EventStream orders = pulse().stream("orders");
    try (Sink sink = orders.sink("billing", DeadLetterTest::once)) {
      for (int i = 1; i <= 5; i++) {
        orders.add("e", bytes("never acknowledged"));
        Thread reader = Thread.startVirtualThread(() -> readUntilDead(sink));
        assertThat(firstLookWith(i)).isEqualTo("[:%d, :0]".formatted(i));
        reader.join();
      }
    }
  }

  private static String firstLookWith(int letters) {
    AtomicReference<String> seen = new AtomicReference<>("");
    eventually(
        "it is put aside",
        () -> {
          seen.set(lettersAndPending());
          return seen.get().startsWith("[:" + letters);
        });
    return seen.get();
  }

  private static void readUntilDead(Sink sink) {
    eventually(
        "nothing is pending",
        () -> {
          sink.read();
          return lettersAndPending().endsWith(":0]");
        });
  }

  @Test
  void letterThatIsThereAlreadyIsNotAddedAgain() {
    EventStream orders = pulse().stream("orders");
    EventStream letters = pulse().stream("orders:dead");
    EventId id = orders.add("e", bytes("never acknowledged"));
    letters.addOnce("orders billing " + id, "e", "", bytes("of fewer deliveries"));
    try (Sink sink = orders.sink("billing", DeadLetterTest::once)) {
      sink.read();
      readUntilDead(sink);
    }
    assertThat(letters.length()).isOne();
  }
}
