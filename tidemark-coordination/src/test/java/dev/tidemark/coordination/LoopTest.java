package dev.tidemark.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoopTest {
  private final ManualTime time = ManualTime.selfAdvancing();
  private final List<String> told = new ArrayList<>();

  /** Runs rounds that throw what is given; null is a round that succeeds. */
  private void run(Loop.Owner owner, @Nullable Throwable... outcomes) {
    Iterator<@Nullable Throwable> next = Arrays.asList(outcomes).iterator();
    new Loop(time, () -> !next.hasNext(), () -> fail(next.next()), owner).run();
  }

  private static void fail(@Nullable Throwable outcome) throws InterruptedException {
    switch (outcome) {
      case null -> {}
      case Error error -> throw error;
      case InterruptedException interrupt -> throw interrupt;
      case RuntimeException failure -> throw failure;
      default -> throw new AssertionError(outcome);
    }
  }

  private Duration tell(Throwable failure, int inARow) {
    told.add(failure.getClass().getSimpleName() + " " + inARow);
    return Duration.ofSeconds(inARow);
  }

  @Test
  void loopGoesOnAfterWhateverARoundThrows() {
    run(
        this::tell,
        new StackOverflowError(),
        new IllegalStateException(),
        null,
        new OutOfMemoryError("for a test"),
        new InterruptedException(),
        null);

    assertThat(told)
        .containsExactly(
            "StackOverflowError 1",
            "IllegalStateException 2",
            "OutOfMemoryError 1",
            "InterruptedException 2");
    assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(1 + 2 + 1 + 2).toNanos());
  }

  @Test
  void interruptThatWasNotTheEndIsForgotten() {
    Thread.currentThread().interrupt();
    run(this::tell, new InterruptedOperationException("for a test", new Exception()), null);

    assertThat(told).containsExactly("InterruptedOperationException 1");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void ownerThatFailsDoesNotEndTheLoop() {
    run(
        (failure, inARow) -> {
          told.add("failed " + inARow);
          throw new StackOverflowError();
        },
        new IllegalStateException(),
        new IllegalStateException(),
        null);

    assertThat(told).containsExactly("failed 1", "failed 2");
  }

  @Test
  void onlyErrorsInARowAreHopeless() {
    assertThat(Loop.isHopeless(new StackOverflowError(), Loop.ERRORS_MAX)).isTrue();
    assertThat(Loop.isHopeless(new StackOverflowError(), Loop.ERRORS_MAX - 1)).isFalse();
    assertThat(Loop.isHopeless(new IllegalStateException(), 1_000)).isFalse();
  }
}
