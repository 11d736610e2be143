package dev.tidemark.pulse.redis;

import static dev.tidemark.testkit.Eventually.PATIENCE;
import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.redis.internal.RedisBackend;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The one connection for all channels, when it breaks. */
class RedisChannelsTest {
  /** Where no server listens. */
  private static final int NOBODY = 1;

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private final CuttingProxy proxy = CuttingProxy.open();
  private final BlockingQueue<byte[]> heard = new LinkedBlockingQueue<>();
  private RedisBackend backend;
  private RowStore pool;

  @BeforeEach
  void connect() {
    proxy.target(SERVER.server().port());
    backend =
        RedisBackend.connect(
            RedisOptions.at("redis://127.0.0.1:" + proxy.port())
                .withCommandTimeout(Duration.ofMillis(500)),
            TimeSource.system());
    pool = backend.pool("workers");
  }

  @AfterEach
  void close() {
    backend.close();
    proxy.close();
  }

  private @Nullable String next() throws InterruptedException {
    byte[] hint = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return hint == null ? null : RedisNames.text(hint);
  }

  /** Waits for {@code hint}. One that is empty may come at any time. */
  private void awaitHint(String hint) throws InterruptedException {
    String heardNow = "";
    while (heardNow != null && heardNow.isEmpty()) {
      heardNow = next();
    }
    assertThat(heardNow).isEqualTo(hint);
  }

  private void wake(String channel, String hint) {
    pool.transact(
        rows -> {
          rows.wake(channel, RedisNames.bytes(hint));
          return 0;
        });
  }

  @Test
  void connectionThatDoesNotAnswerIsReplacedForAllWhoListen() throws InterruptedException {
    RowStore.Listening first = pool.onWake("a", heard::add);
    assertThat(next()).as("told at the start").isEmpty();
    proxy.loseReplies();

    RowStore.Listening second = pool.onWake("b", hint -> {});

    assertThat(next()).as("told that something may have been missed").isEmpty();
    wake("a", "look");
    awaitHint("look");
    first.close();
    second.close();
  }

  @Test
  void channelThatWasLeftDuringAnOutageIsNotListenedToAfterwards() {
    RowStore.Listening left = pool.onWake("left", hint -> {});
    RowStore.Listening stays = pool.onWake("stays", heard::add);
    proxy.target(NOBODY);
    proxy.cutAll();
    left.close();
    proxy.target(SERVER.server().port());

    eventually(
        () -> "one channel of " + channels(),
        () -> channels().contains("wake:stays") && !channels().contains("wake:left"));
    stays.close();
    eventually(() -> "no channel of " + channels(), () -> channels().equals("[]"));
  }

  private static String channels() {
    return SERVER.server().command("PUBSUB", "CHANNELS");
  }

  @Test
  void channelThatIsListenedToAgainIsHeard() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      RowStore.Listening listening = pool.onWake("a", heard::add);
      wake("a", "" + i);
      awaitHint("" + i);
      listening.close();
    }
  }
}
