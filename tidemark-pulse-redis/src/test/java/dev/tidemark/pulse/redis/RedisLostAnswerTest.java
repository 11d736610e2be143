package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobExistsException;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.testkit.PoolConformance;
import dev.tidemark.pulse.testkit.RecordingHandler;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Calls of a pool whose answers get lost: they happen once, and the caller is told what happened.
 * The way of the nodes is good, that of the caller is not.
 */
class RedisLostAnswerTest extends PoolConformance {
  /** Begins the answer to a transition that has written: a revision of 16 digits follows. */
  private static final String DONE = "*2\r\n:1\r\n$16\r\n";

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private final CuttingProxy proxy = CuttingProxy.open();
  private final RecordingHandler handler = new RecordingHandler();
  private Pulse far;
  private PoolClient client;

  @BeforeEach
  void behindTheProxy() {
    proxy.target(SERVER.server().port());
    node().addWorker(handler);
    far =
        RedisOptions.at("redis://127.0.0.1:" + proxy.port())
            .withCommandTimeout(Duration.ofMillis(500))
            .connect();
    client = far.poolClient(POOL, quick());
  }

  @AfterEach
  void closeProxy() {
    far.close();
    proxy.close();
  }

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private List<String> started() {
    return handler.starts().stream().map(Job::key).toList();
  }

  @Test
  void dispatchIsNotToldThatItsOwnJobExists() {
    proxy.loseReply("device-1", DONE);

    client.dispatch("device-1", bytes("x"));

    assertThat(proxy.hasLostReply()).isTrue();
    assertThat(started()).containsExactly("device-1");
    assertThat(client.jobKeys()).containsExactly("device-1");
    assertThatExceptionOfType(JobExistsException.class)
        .isThrownBy(() -> client.dispatch("device-1", bytes("x")));
  }

  @Test
  void dispatchOnceGivesOneJob() {
    proxy.loseReply("device-1", DONE);

    client.dispatchOnce("order-7", "device-1", bytes("x"));

    assertThat(proxy.hasLostReply()).isTrue();
    client.dispatchOnce("order-7", "device-1", bytes("x"));
    assertThat(started()).containsExactly("device-1");
  }

  @Test
  void messageIsHandedOverOnce() {
    proxy.loseReply("first", DONE);

    client.send("device-1", bytes("first"));

    assertThat(proxy.hasLostReply()).isTrue();
    client.send("device-1", bytes("second"));
    eventually("both messages", () -> handler.messages().contains("device-1=second"));
    assertThat(handler.messages()).containsExactly("device-1=first", "device-1=second");
  }

  @Test
  void notificationIsHandedOverOnceAndItsJobIsSaidToExist() {
    client.dispatch("device-1", bytes("x"));
    proxy.loseReply("first", DONE);

    assertThat(client.notifyJob("device-1", bytes("first"))).isTrue();

    assertThat(proxy.hasLostReply()).isTrue();
    assertThat(client.notifyJob("device-1", bytes("second"))).isTrue();
    eventually("both", () -> handler.notifications().contains("device-1=second"));
    assertThat(handler.notifications()).containsExactly("device-1=first", "device-1=second");
  }

  @Test
  void stopIsToldThatThereWasAJob() {
    client.dispatch("device-1", bytes("x"));
    proxy.loseReply("device-1", DONE);

    assertThat(client.stop("device-1")).isTrue();

    assertThat(proxy.hasLostReply()).isTrue();
    assertThat(handler.stops()).containsExactly("device-1");
    assertThat(client.stop("device-1")).as("once more").isFalse();
  }

  @Test
  void callsThroughManyCutsHappenOnceEach() throws InterruptedException {
    List<String> keys = IntStream.range(0, 40).mapToObj(i -> "device-" + i).toList();
    Cuts.during(
        proxy,
        () -> {
          for (String key : keys) {
            client.dispatch(key, bytes("x"));
            client.send("log", bytes(key));
          }
        });

    assertThat(started()).isEqualTo(keys);
    List<String> messages = keys.stream().map(key -> "log=" + key).toList();
    eventually(
        () -> "the messages: " + handler.messages(),
        () -> handler.messages().size() >= messages.size());
    assertThat(handler.messages()).isEqualTo(messages);
    assertNoMistakes(handler);
  }
}
