package dev.tidemark.pulse.internal.stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FanInTest {
  private static final int BATCH = 2;
  private static final Duration BLOCK = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration FRESH = Duration.ofMillis(1_200);

  private final FanIn events = new FanIn(TimeSource.system(), BLOCK, FRESH);

  @AfterEach
  void close() {
    events.close();
  }

  /** Numbered events; those that are given back are the next ones. */
  private static final class Numbers implements FanIn.Source {
    private final TreeMap<Long, Event> left = new TreeMap<>();
    final Semaphore fetches = new Semaphore(0);
    final Semaphore returns = new Semaphore(0);

    /** Those of the fetches that nobody waited for. */
    final Semaphore early = new Semaphore(0);

    /** No fetch returns before it is open. */
    private final CountDownLatch gate;

    Numbers(int count) {
      this(count, new CountDownLatch(0));
    }

    Numbers(int count, CountDownLatch gate) {
      this.gate = gate;
      for (long i = 0; i < count; i++) {
        left.put(i, new Event(new EventId(i, 0), "s", "e", "", new byte[0], Instant.EPOCH, 1));
      }
    }

    @Override
    public List<Event> fetch(Duration block) {
      awaitGate();
      List<Event> batch = new ArrayList<>();
      synchronized (left) {
        while (batch.size() < BATCH && !left.isEmpty()) {
          batch.add(left.pollFirstEntry().getValue());
        }
      }
      if (batch.isEmpty()) {
        LockSupport.parkNanos(block.toNanos());
      }
      if (block.isZero()) {
        early.release();
      }
      fetches.release();
      return batch;
    }

    private void awaitGate() {
      try {
        assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException interrupt) {
        throw new AssertionError(interrupt);
      }
    }

    @Override
    public boolean canGiveBack() {
      return true;
    }

    @Override
    public void giveBack(List<Event> some) {
      synchronized (left) {
        some.forEach(event -> left.put(event.id().major(), event));
      }
      returns.release(some.size());
    }

    @Override
    public void close() {}
  }

  @Test
  void errorOfASourceIsToldAndTheNextFetchIsTriedAgain() {
    Numbers numbers = new Numbers(BATCH);
    AtomicBoolean failed = new AtomicBoolean();
    FanIn.Source once =
        new FanIn.Source() {
          @Override
          public List<Event> fetch(Duration block) {
            if (failed.compareAndSet(false, true)) {
              throw new StackOverflowError("on purpose");
            }
            return numbers.fetch(block);
          }

          @Override
          public void close() {}
        };
    events.add("s", once, Pace.alwaysSlow(), () -> {});

    assertThatThrownBy(() -> events.take(PATIENCE))
        .isInstanceOf(PulseException.class)
        .hasRootCauseInstanceOf(StackOverflowError.class);
    assertThat(events.take(PATIENCE)).hasSize(BATCH);
  }

  /** Full batches without an end, each of which comes when it is let. */
  private static final class Gated implements FanIn.Source {
    final Semaphore gate = new Semaphore(0);
    final BlockingQueue<Duration> blocks = new LinkedBlockingQueue<>();

    @Override
    public List<Event> fetch(Duration block) {
      blocks.add(block);
      gate.acquireUninterruptibly();
      EventId id = new EventId(1, 0);
      return Collections.nCopies(BATCH, new Event(id, "s", "e", "", new byte[0], Instant.EPOCH, 1));
    }

    /** How long the next fetch waits for events. */
    Duration nextBlock() throws InterruptedException {
      return requireNonNull(blocks.poll(30, TimeUnit.SECONDS), "a fetch");
    }

    @Override
    public void close() {
      gate.release();
    }
  }

  /** A clock that stands still: nobody ever pauses. */
  private static final TimeSource STANDING =
      new TimeSource() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long nanos() {
          return 0;
        }

        @Override
        public void sleep(Duration duration) {}
      };

  private List<Long> take() {
    return events.take(PATIENCE).stream().map(event -> event.id().major()).toList();
  }

  private static void await(Semaphore calls, int count) throws InterruptedException {
    assertThat(calls.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void batchesAreFetchedWhenTheyAreAskedFor() throws InterruptedException {
    Numbers source = new Numbers(20);
    events.add("s", source, Pace.alwaysSlow(), () -> {});
    for (int i = 0; i < 5; i++) {
      take();
    }
    await(source.fetches, 5);
    LockSupport.parkNanos(BLOCK.multipliedBy(5).toNanos());

    assertThat(source.fetches.availablePermits()).isZero();
  }

  @Test
  void nextBatchesAreFetchedEarlyForWhoTakesThemFast() throws InterruptedException {
    Numbers source = new Numbers(20);
    events.add("s", source, Pace.ofBatches(BATCH), () -> {});
    for (int i = 0; i < 3; i++) {
      take();
    }
    await(source.fetches, 5);
    assertThat(source.early.availablePermits()).isPositive();
  }

  @Test
  void nobodyWaitsForTheBatchBehindTheOneThatServesAllWhoWait() throws InterruptedException {
    Gated source = new Gated();
    try (FanIn single = new FanIn(STANDING, BLOCK, FRESH)) {
      single.add("s", source, Pace.ofBatches(BATCH), () -> {});
      source.gate.release(3);
      for (int i = 0; i < 3; i++) {
        assertThat(single.take(PATIENCE)).hasSize(BATCH);
        assertThat(source.nextBlock()).as("fetch %d", i).isEqualTo(BLOCK);
      }
      assertThat(source.nextBlock()).as("first fetch that is early").isZero();
      for (int i = 0; i < 20; i++) {
        Thread taker = Thread.ofPlatform().start(() -> single.take(PATIENCE));
        while (taker.isAlive() && taker.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
        source.gate.release();
        // The taker has been told of its batch, and may or may not have got up.
        assertThat(source.nextBlock()).as("fetch behind batch %d", i).isZero();
        assertThat(taker.join(PATIENCE)).isTrue();
      }
    }
  }

  @Test
  void whatNobodyTakesIsGivenBack() throws InterruptedException {
    Numbers source = new Numbers(20);
    events.add("s", source, Pace.ofBatches(BATCH), () -> {});
    for (int i = 0; i < 3; i++) {
      take();
    }
    await(source.returns, 2 * BATCH);

    assertThat(take()).containsExactly(6L, 7L);
  }

  @Test
  void batchThatComesTooLateForWhoWaitedIsGivenBack() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Numbers source = new Numbers(BATCH, gate);
    events.add("s", source, Pace.alwaysSlow(), () -> {});
    assertThat(events.take(BLOCK)).isEmpty();
    gate.countDown();
    await(source.returns, BATCH);

    assertThat(take()).containsExactly(0L, 1L);
  }

  @Test
  void closeGivesBackWhatNobodyHasTaken() throws InterruptedException {
    Numbers source = new Numbers(20);
    events.add("s", source, Pace.ofBatches(BATCH), () -> {});
    for (int i = 0; i < 3; i++) {
      take();
    }
    events.close();

    assertThat(source.left)
        .containsOnlyKeys(
            List.of(6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L));
  }

  @Test
  void nothingIsFetchedEarlyWhereThereAreSeveralSources() throws InterruptedException {
    Numbers busy = new Numbers(1_000);
    Numbers other = new Numbers(2);
    events.add("busy", busy, Pace.ofBatches(BATCH), () -> {});
    events.add("other", other, Pace.ofBatches(BATCH), () -> {});
    for (int i = 0; i < 20; i++) {
      take();
      LockSupport.parkNanos(BLOCK.dividedBy(4).toNanos()); // in which nobody takes
    }
    await(other.fetches, 1);

    assertThat(busy.early.availablePermits()).isZero();
  }

  @Test
  void batchIsKeptForWhoIsAtTheOneOfAnotherSource() throws InterruptedException {
    Numbers one = new Numbers(20);
    Numbers two = new Numbers(20);
    try (FanIn several = new FanIn(TimeSource.system(), BLOCK, PATIENCE.multipliedBy(3))) {
      several.add("one", one, Pace.alwaysSlow(), () -> {});
      several.add("two", two, Pace.alwaysSlow(), () -> {});
      for (int i = 0; i < 3; i++) {
        assertThat(several.take(PATIENCE)).hasSize(BATCH);
        LockSupport.parkNanos(Duration.ofMillis(700).toNanos()); // longer than it is kept otherwise
      }
      await(one.fetches, 1);
      await(two.fetches, 1);

      assertThat(one.returns.availablePermits()).isZero();
      assertThat(two.returns.availablePermits()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eventsComeOnceAndInOrderAtWhateverPace(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    events.add("s", new Numbers(120), Pace.ofBatches(BATCH), () -> {});
    List<Long> taken = new ArrayList<>();
    while (taken.size() < 120) {
      taken.addAll(take());
      if (random.nextInt(10) == 0) {
        LockSupport.parkNanos(random.nextLong(FRESH.toNanos() / 3));
      }
    }
    for (int i = 0; i < 120; i++) {
      assertThat(taken.get(i)).as("seed %d, place %d", seed, i).isEqualTo(i);
    }
  }
}
