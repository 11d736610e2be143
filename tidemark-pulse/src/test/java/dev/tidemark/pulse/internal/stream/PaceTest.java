package dev.tidemark.pulse.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int FULL = 10;

  private final Pace pace = Pace.ofBatches(FULL);
  private long now;

  /** Takes a batch after {@code pause}. */
  private void take(int events, Duration pause) {
    now += pause.toNanos();
    pace.took(events, now, now);
  }

  private void takeFull(int batches) {
    for (int i = 0; i < batches; i++) {
      take(FULL, Duration.ofMillis(1));
    }
  }

  @Test
  void isFastAfterThreeFullBatchesInARow() {
    takeFull(2);
    assertThat(pace.isFast()).isFalse();

    takeFull(1);
    assertThat(pace.isFast()).isTrue();
  }

  @Test
  void isSlowAfterABatchThatIsNotFull() {
    takeFull(3);
    take(FULL - 1, Duration.ofMillis(1));

    assertThat(pace.isFast()).isFalse();
  }

  @Test
  void isSlowAfterAPause() {
    takeFull(5);
    take(FULL, Duration.ofSeconds(1));
    assertThat(pace.isFast()).isFalse();

    takeFull(2);
    assertThat(pace.isFast()).isTrue();
  }

  @Test
  void isSlowIfThereIsLittleToFetch() {
    takeFull(3);
    pace.found(FULL);
    assertThat(pace.isFast()).isTrue();

    pace.found(FULL - 1);
    assertThat(pace.isFast()).isFalse();
  }

  @Test
  void isNeverFastIfThatIsSaid() {
    Pace slow = Pace.alwaysSlow();
    for (int i = 0; i < 10; i++) {
      slow.took(1_000_000, i, i);
    }
    assertThat(slow.isFast()).isFalse();
  }
}
