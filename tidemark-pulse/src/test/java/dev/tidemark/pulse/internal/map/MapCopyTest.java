package dev.tidemark.pulse.internal.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Codec;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.CopyLagException;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies that are held up: by a codec that waits, a handler that does not return. */
class MapCopyTest {
  private static final Duration WAIT = Duration.ofSeconds(20);

  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  private final CountDownLatch goOn = new CountDownLatch(1);
  private Pulse pulse;

  @BeforeEach
  void open(Database db) {
    pulse = Pulse.on(db, Subspace.of("pulse"));
  }

  @AfterEach
  void close() {
    goOn.countDown();
    pulse.close();
  }

  /** A map whose copy stops at the first key that it hears of. */
  private ReplicatedMap<String, String> stalled() {
    Codec<String> keys =
        Codec.of(
            Codec.TEXT::encode,
            bytes -> {
              await();
              return Codec.TEXT.decode(bytes);
            });
    return pulse.map("flags", keys, Codec.TEXT, options -> options);
  }

  private void await() {
    try {
      assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void setAndWaitGivesUpInTimeAndSaysThatItWasSet(Database db) {
    ReplicatedMap<String, String> map = stalled();

    assertThatThrownBy(() -> map.setAndWait("key", "value", Duration.ofMillis(50)))
        .isInstanceOf(CopyLagException.class)
        .hasMessageContaining("was set");
    goOn.countDown();
    assertThat(pulse.map("flags").get("key")).contains("value");
  }

  @Test
  void closeReleasesThoseWhoWait() throws Exception {
    ReplicatedMap<String, String> map = stalled();
    FutureTask<Throwable> waiter =
        new FutureTask<>(
            () -> {
              try {
                map.setAndWait("key", "value", WAIT);
                return new AssertionError("the copy cannot have seen it");
              } catch (IllegalStateException released) {
                return released;
              }
            });
    Thread thread = Thread.ofVirtual().start(waiter);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    map.close();

    assertThat(waiter.get(10, TimeUnit.SECONDS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void handlerThatFallsTooFarBehindIsEnded() {
    try (MapSubscription<String> subscription =
        MapSubscription.<String>ofAll("flags", change -> await(), ended -> {}).start()) {
      for (int i = 0; i < 10_000; i++) {
        subscription.offer(List.of("change"));
      }
      assertThat(subscription.isEnded()).isFalse();
      subscription.offer(List.of("one more"));
      subscription.offer(List.of("and another"));

      assertThat(subscription.isEnded()).isTrue();
      assertThat(subscription.failure().orElseThrow()).hasMessageContaining("10,000");
    }
  }

  @Test
  void keyThatTheCodecCannotReadIsLeftOut() {
    pulse.map("numbers").set("seven", "7");
    ReplicatedMap<Long, String> map =
        pulse.map("numbers", Codec.NUMBER, Codec.TEXT, options -> options);
    map.setAndWait(8L, "eight", WAIT);

    assertThat(map.snapshot()).isEqualTo(Map.of(8L, "eight"));
  }

  @Test
  void valueThatTheCodecCannotReadIsNamed() {
    pulse.map("numbers").set("seven", "text");
    ReplicatedMap<String, Long> map =
        pulse.map("numbers", Codec.TEXT, Codec.NUMBER, options -> options);

    assertThat(map.contains("seven")).isTrue();
    assertThatThrownBy(() -> map.get("seven"))
        .isInstanceOf(PulseException.class)
        .hasMessageContaining("'seven'")
        .hasMessageContaining("numbers");
  }
}
