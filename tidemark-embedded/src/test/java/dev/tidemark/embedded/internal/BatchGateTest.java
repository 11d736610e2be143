package dev.tidemark.embedded.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.internal.common.EngineCounters;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Batch transactions on an idle and on a busy engine, on a clock that only waiting moves. */
class BatchGateTest {
  private static final int PROCESSORS = 2;
  private static final int BUSY = 1_000 * PROCESSORS;

  private final ManualTime time = ManualTime.selfAdvancing();
  private final EngineCounters counters = new EngineCounters();
  private final BatchGate gate = new BatchGate(counters, time, PROCESSORS);

  private void others(int number) {
    for (int i = 0; i < number; i++) {
      counters.transactionOpened();
    }
  }

  /** A batch transaction of {@code length} beside {@code others} that begin meanwhile. */
  private void batch(Duration length, int others) {
    batch(length, others, () -> {});
  }

  private void batch(Duration length, int others, Runnable whileWaiting) {
    gate.enter(Duration.ZERO, whileWaiting);
    long opened = time.nanos();
    counters.transactionOpened();
    gate.opened();
    others(others);
    time.advance(length);
    gate.left(opened);
  }

  private void enter(Duration timeout) {
    gate.enter(timeout, () -> {});
  }

  private Duration waited(Runnable what) {
    long before = time.nanos();
    what.run();
    return Duration.ofNanos(time.nanos() - before);
  }

  /** The share of one processor for which batches were open in ten that follow each other. */
  private double share(int othersPerMilli) {
    long before = time.nanos();
    for (int i = 0; i < 10; i++) {
      batch(Duration.ofMillis(50), 50 * othersPerMilli, () -> others(20 * othersPerMilli));
    }
    gate.enter(Duration.ZERO, () -> others(20 * othersPerMilli));
    return 10 * 50e6 / (time.nanos() - before);
  }

  @Test
  void onAnIdleEngineNoBatchWaits() {
    assertThat(share(0)).isEqualTo(1);
  }

  @Test
  void batchesAloneAreNotTakenForTheOthersThatTheyGiveWayTo() {
    for (int i = 0; i < 10_000; i++) {
      batch(Duration.ofNanos(100_000), 0);
    }
    assertThat(waited(() -> enter(Duration.ZERO))).isZero();
  }

  @Test
  void onABusyEngineBatchesAreOpenForAQuarterOfTheProcessors() {
    assertThat(share(BUSY / 1_000)).isBetween(0.4, 0.6);
  }

  @Test
  void aBatchThatWaitsGoesOnSoonAfterTheOthersHaveGone() {
    batch(Duration.ofSeconds(2), BUSY * 2);
    Duration wait = waited(() -> enter(Duration.ZERO));
    assertThat(wait).isPositive().isLessThan(Duration.ofMillis(100));
  }

  @Test
  void aBatchWaitsNoLongerThanItsTimeout() {
    batch(Duration.ofSeconds(2), BUSY * 2);
    Duration wait = waited(() -> gate.enter(Duration.ofMillis(200), () -> others(BUSY)));
    assertThat(wait).isBetween(Duration.ofMillis(200), Duration.ofMillis(220));
  }

  /** Many that began together, each charged when it ends, leave no debt that others pay for. */
  @Test
  void manyLongBatchesDelayAShortOneBySecondsOnly() {
    long opened = time.nanos();
    others(10 * BUSY);
    time.advance(Duration.ofSeconds(4));
    for (int i = 0; i < 20; i++) {
      gate.left(opened);
    }
    gate.enter(Duration.ZERO, () -> others(BUSY));
    Duration wait = waited(() -> gate.enter(Duration.ZERO, () -> others(BUSY)));
    assertThat(wait).isLessThan(Duration.ofMillis(100));
  }

  @Test
  void aBatchThatWasLeftOpenForAnHourDelaysOthersBySecondsOnly() {
    batch(Duration.ofHours(1), 3_600 * BUSY);
    Duration wait = waited(() -> gate.enter(Duration.ZERO, () -> others(BUSY)));
    assertThat(wait).isLessThan(Duration.ofSeconds(6));
  }

  @Test
  void aClosedDatabaseEndsTheWait() {
    batch(Duration.ofSeconds(2), BUSY * 2);
    assertThatThrownBy(
            () ->
                gate.enter(
                    Duration.ZERO,
                    () -> {
                      throw new IllegalStateException("closed");
                    }))
        .hasMessage("closed");
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    batch(Duration.ofSeconds(2), BUSY * 2);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> enter(Duration.ZERO))
        .isInstanceOf(InterruptedOperationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
