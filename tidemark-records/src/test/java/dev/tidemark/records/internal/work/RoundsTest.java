package dev.tidemark.records.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that take long, and tasks that fail. */
@Timeout(60)
@SuppressWarnings("try") // rounds are done while they are open, without being named
class RoundsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration WORK = Duration.ofMinutes(5);
  private static final int TIMES = 200;

  private final ManualTime time = ManualTime.selfAdvancing();

  /** With pauses that vary by a quarter, the share of many is near to a half. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void taskThatTakesLongerThanItsPauseTakesHalfOfTheTime(boolean complete) throws Exception {
    CountDownLatch done = new CountDownLatch(TIMES);
    BlockingQueue<Long> ends = new LinkedBlockingQueue<>();
    Rounds.Task task =
        new Rounds.Task(
            SECOND,
            WORK,
            rounds -> {
              time.advance(WORK);
              ends.add(time.nanos());
              done.countDown();
              return complete;
            },
            (failure, pause) -> {});
    try (Rounds rounds = Rounds.start(time, List.of(task), "rounds-test")) {
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
    List<Long> first = ends.stream().limit(TIMES).toList();
    double all = first.getLast() - first.getFirst();
    assertThat(WORK.toNanos() * (TIMES - 1) / all).isBetween(0.45, 0.55);
  }

  /** A pause may be longer than nanoseconds in a long reach. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE / 1_000_000_000L, Long.MAX_VALUE / 1_000})
  void taskThatIsDueInCenturiesHoldsUpNoOther(long seconds) throws Exception {
    BlockingQueue<Long> ran = new LinkedBlockingQueue<>();
    long began = time.nanos();
    Rounds.Task far =
        new Rounds.Task(Duration.ofSeconds(seconds), WORK, rounds -> true, (failure, pause) -> {});
    Rounds.Task near =
        new Rounds.Task(SECOND, WORK, rounds -> ran.add(time.nanos()), (failure, pause) -> {});
    try (Rounds rounds = Rounds.start(time, List.of(far, near), "rounds-test")) {
      Long first = ran.poll(30, TimeUnit.SECONDS);
      assertThat(first).isNotNull();
      assertThat(first - began).isBetween(0L, 2 * SECOND.toNanos());
    }
  }

  @Test
  void errorIsToldAndTheTaskGoesOnThoughNobodyListens() throws Exception {
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    Rounds.Task task =
        new Rounds.Task(
            SECOND,
            WORK,
            rounds -> {
              throw new OutOfMemoryError("as a test");
            },
            (failure, pause) -> {
              told.add(failure);
              throw new AssertionError("broken");
            });
    try (Rounds rounds = Rounds.start(time, List.of(task), "rounds-test")) {
      for (int i = 0; i < 3; i++) {
        assertThat(told.poll(30, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
      }
    }
  }
}
