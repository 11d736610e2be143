package dev.tidemark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.testkit.internal.Concurrently;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
  @Test
  void clockStandsUntilItIsMovedAndMovesBothReadings() {
    ManualTime time = ManualTime.standing();
    long nanos = time.nanos();
    long micros = time.wallMicros();
    assertThat(time.nanos()).isEqualTo(nanos);
    time.advance(Duration.ofSeconds(3));
    assertThat(time.nanos()).isEqualTo(nanos + 3_000_000_000L);
    assertThat(time.wallMicros()).isEqualTo(micros + 3_000_000);
  }

  @Test
  void sleeperWakesWhenTimeHasPassedItAndNotBefore() throws Exception {
    ManualTime time = ManualTime.standing();
    AtomicBoolean awake = new AtomicBoolean();
    var sleeper =
        Concurrently.start(
            () -> {
              time.sleep(Duration.ofSeconds(10));
              awake.set(true);
            });
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(9));
    sleeper.awaitBlocked();
    assertThat(awake).isFalse();
    time.advance(Duration.ofSeconds(1));
    sleeper.join();
    assertThat(awake).isTrue();
  }

  @Test
  void interruptEndsASleep() throws Exception {
    ManualTime time = ManualTime.standing();
    var sleeper =
        Concurrently.start(
            () ->
                assertThatThrownBy(() -> time.sleep(Duration.ofDays(1)))
                    .isInstanceOf(InterruptedException.class));
    time.awaitSleepers(1);
    sleeper.thread().interrupt();
    sleeper.join();
  }

  @Test
  void selfAdvancingClockSleepsInNoTime() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    long before = time.nanos();
    time.sleep(Duration.ofDays(1));
    assertThat(time.nanos() - before).isEqualTo(Duration.ofDays(1).toNanos());
  }

  @Test
  void clockDoesNotGoBack() {
    assertThatThrownBy(() -> ManualTime.standing().advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
