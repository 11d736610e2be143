package dev.tidemark.pulse.redis.internal.link;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.pulse.PulseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GathererTest {
  private static final int CALLERS = 64;
  private static final int CALLS = 200;

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final CountDownLatch open = new CountDownLatch(1);

  private final Gatherer<Integer, Integer> gatherer =
      new Gatherer<>(this::send, item -> 1, Duration.ofMinutes(1));

  /** Each item negated, once the gate is open. */
  private List<Integer> send(List<Integer> items) {
    begun.incrementAndGet();
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    try {
      open.await();
    } catch (InterruptedException interrupt) {
      throw new PulseException("interrupted", interrupt);
    } finally {
      underWay.decrementAndGet();
    }
    return items.stream().map(item -> -item).toList();
  }

  private static List<Thread> start(int count, Runnable call) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofVirtual().start(call));
    }
    return threads;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void secondBatchSetsOutWhenManyHaveGatheredAndNoThird() throws Exception {
    List<Thread> callers = new ArrayList<>(start(1, () -> gatherer.submit(1)));
    eventually("the first batch is under way", () -> begun.get() == 1);

    callers.addAll(start(CALLERS, () -> gatherer.submit(1)));

    eventually("a second one is under way", () -> begun.get() == 2);
    callers.addAll(start(CALLERS, () -> gatherer.submit(1)));
    open.countDown();
    join(callers);
    assertThat(mostUnderWay.get()).isEqualTo(2);
  }

  @Test
  void everyCallerGetsItsOwnResult() throws Exception {
    open.countDown();
    AtomicInteger numbers = new AtomicInteger();
    Map<Integer, Integer> results = new ConcurrentHashMap<>();
    join(
        start(
            CALLERS,
            () -> {
              for (int i = 0; i < CALLS; i++) {
                int number = numbers.incrementAndGet();
                results.put(number, gatherer.submit(number));
              }
            }));
    assertThat(results).hasSize(CALLERS * CALLS);
    assertThat(results).allSatisfy((number, result) -> assertThat(result).isEqualTo(-number));
    assertThat(mostUnderWay.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void failureReachesWhoWaitsAndTheNextCallIsSent() {
    AtomicInteger attempts = new AtomicInteger();
    Gatherer<Integer, Integer> failing =
        new Gatherer<>(
            items -> {
              if (attempts.incrementAndGet() == 1) {
                throw new PulseException("no room");
              }
              return items;
            },
            item -> 1,
            Duration.ofMinutes(1));
    assertThatThrownBy(() -> failing.submit(1)).isInstanceOf(PulseException.class);
    assertThat(failing.submit(2)).isEqualTo(2);
  }

  @Test
  void itemWhoseCallerGaveUpIsNotSent() throws Exception {
    List<Integer> sent = new CopyOnWriteArrayList<>();
    Gatherer<Integer, Integer> impatient =
        new Gatherer<>(
            items -> {
              sent.addAll(items);
              return send(items);
            },
            item -> 1,
            Duration.ofMillis(100));
    eventually(
        "a batch is under way",
        () -> catchThrowable(() -> impatient.submit(1)) != null && begun.get() == 1);
    assertThatThrownBy(() -> impatient.submit(2)).hasMessageContaining("No result within");
    assertThatThrownBy(() -> interrupted(() -> impatient.submit(3)))
        .isInstanceOf(InterruptedOperationException.class);
    assertThat(Thread.interrupted()).isTrue();
    open.countDown();

    eventually("a call gets its result", () -> answers(impatient));
    assertThat(sent).contains(1, 4).doesNotContain(2, 3);
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    call.run();
  }

  private static boolean answers(Gatherer<Integer, Integer> gatherer) {
    try {
      return gatherer.submit(4) == -4;
    } catch (PulseException late) {
      return false;
    }
  }

  @Test
  void callersOfABatchThatFailedHaveExceptionsOfTheirOwn() throws Exception {
    IllegalStateException cause = new IllegalStateException("full");
    Gatherer<Integer, Integer> failing =
        new Gatherer<>(
            items -> {
              send(items);
              throw new PulseException("no room", cause);
            },
            item -> 1,
            Duration.ofMinutes(1));
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> callers =
        start(CALLERS, () -> failures.add(catchThrowable(() -> failing.submit(1))));
    eventually("the first batch is under way", () -> begun.get() > 0);
    open.countDown();
    join(callers);

    Set<Throwable> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(failures);
    assertThat(different).hasSize(CALLERS);
    assertThat(failures)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isExactlyInstanceOf(PulseException.class)
                    .hasMessage("no room")
                    .hasCause(cause)
                    .hasNoSuppressedExceptions());
  }
}
