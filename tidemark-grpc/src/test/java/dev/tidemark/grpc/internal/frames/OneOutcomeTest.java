package dev.tidemark.grpc.internal.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OneOutcomeTest {
  private static final int WAITERS = 20;

  private final OneOutcome<String> outcome = new OneOutcome<>();
  private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

  @Test
  void allWhoWaitGetTheFirstOutcome() throws Exception {
    List<Thread> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(Thread.startVirtualThread(this::await));
    }
    outcome.complete("first");
    outcome.complete("second");
    for (Thread waiter : waiters) {
      waiter.join();
    }
    assertThat(seen).hasSize(WAITERS).containsOnly("first");
    assertThat(outcome.await(0)).isEqualTo("first");
  }

  @Test
  void whoCompletesQuietlyHasToWakeTheOneThatParks() throws Exception {
    Thread waiter = Thread.ofPlatform().start(this::await);
    Eventually.eventually("it parks", () -> waiter.getState() == Thread.State.WAITING);
    assertThat(outcome.completeQuietly("first")).isSameAs(waiter);
    assertThat(outcome.completeQuietly("second")).isNull();
    LockSupport.unpark(waiter);
    waiter.join();
    assertThat(seen).containsExactly("first");
  }

  @Test
  void waitEndsWithItsTime() {
    assertThatThrownBy(() -> outcome.await(1_000)).isInstanceOf(TimeoutException.class);
  }

  @Test
  void interruptEndsTheWait() throws Exception {
    Thread waiter = Thread.startVirtualThread(this::await);
    waiter.interrupt();
    waiter.join();
    assertThat(seen.take()).isInstanceOf(InterruptedException.class);
  }

  private void await() {
    try {
      seen.add(outcome.await(Long.MAX_VALUE));
    } catch (InterruptedException | TimeoutException failure) {
      seen.add(failure);
    }
  }
}
