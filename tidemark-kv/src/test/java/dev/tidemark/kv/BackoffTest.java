package dev.tidemark.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final Backoff BACKOFF = Backoff.of(Duration.ofMillis(1), Duration.ofMillis(100));

  /** Always the same chance; keeps the sleeps. */
  private record FixedTime(double chance, List<Duration> sleeps) implements TimeSource {
    FixedTime(double chance) {
      this(chance, new ArrayList<>());
    }

    @Override
    public long wallMicros() {
      return 0;
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void sleep(Duration duration) {
      sleeps.add(duration);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "2, 2", "3, 4", "7, 64", "8, 100", "1000000, 100"})
  void longestPauseDoublesUpToTheLimit(int failures, long millis) {
    assertThat(BACKOFF.after(failures, new FixedTime(1))).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void chanceDecidesBetweenNothingOrHalfAndTheLongest() {
    assertThat(BACKOFF.after(3, new FixedTime(0))).isZero();
    assertThat(BACKOFF.after(3, new FixedTime(0.25))).isEqualTo(Duration.ofMillis(1));
    assertThat(BACKOFF.withAtLeastHalf().after(3, new FixedTime(0)))
        .isEqualTo(Duration.ofMillis(2));
  }

  @Test
  void factorAndJitterAreThoseThatAreAskedFor() {
    Backoff backoff = BACKOFF.withFactor(3).withJitter(0.2);
    assertThat(backoff.after(3, 1.0)).isEqualTo(Duration.ofMillis(9));
    assertThat(backoff.after(3, 0.0)).isEqualTo(Duration.ofNanos(7_200_000));
    assertThat(backoff.after(1_000, 1.0)).isEqualTo(Duration.ofMillis(100));
    assertThat(Backoff.of(Duration.ZERO, Duration.ofMillis(1)).withFactor(1_000).after(9_999, 1.0))
        .isZero();
    assertThatThrownBy(() -> BACKOFF.withFactor(0.5)).hasMessageContaining("from 1 to 1,000");
    assertThatThrownBy(() -> BACKOFF.withJitter(2)).hasMessageContaining("from 0 to 1");
  }

  @Test
  void pauseSleepsOnTheGivenClockAndNotAtAllForNothing() throws Exception {
    FixedTime time = new FixedTime(1);
    BACKOFF.pause(0, time);
    BACKOFF.pause(2, time);
    assertThat(time.sleeps()).containsExactly(Duration.ofMillis(2));
  }

  @Test
  void negativePausesAreRefused() {
    assertThatThrownBy(() -> Backoff.of(Duration.ofMillis(-1), Duration.ZERO))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("PT-0.001S");
  }
}
