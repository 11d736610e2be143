package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A source in order, whose position the warehouse keeps: every message has its effect once. */
@Timeout(120)
class OrderedSourceTest {
  @ParameterizedTest
  @SeedSource(count = 20)
  void everyMessageIsStoredInOrderWhateverFails(long seed) {
    new Trial(seed).run();
  }

  @Test
  void secondRunThatMovesAPositionIsRefusedWhileOneGoesOn() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    MemoryWarehouse warehouse = new MemoryWarehouse();
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    warehouse.behave(
        (batch, store) -> {
          merging.countDown();
          await(go);
          return store.get();
        });
    try (Loader one = loader(time, warehouse);
        Loader other = loader(time, warehouse);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<LoadResult> first = threads.submit(() -> one.drain());
      merging.await();

      assertThatThrownBy(other::drain)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("A run from log into table 'pairs' goes on in this process")
          .hasMessageContaining("Close the other one first");

      go.countDown();
      assertThat(first.get().merged()).isEqualTo(1);
      assertThat(other.drain().pulled()).isZero();
      assertThat(warehouse.position("log")).contains("1");
    }
  }

  private static Loader loader(ManualTime time, MemoryWarehouse warehouse) {
    Message message =
        Message.of("m1", Instant.EPOCH, Map.of("key", "k", "value", "v"), new byte[0])
            .withPosition("1");
    return Loader.open(
        new Log(time, List.of(message), new SplittableRandom(1)),
        warehouse,
        new KeyValueMapping(),
        letters -> {},
        o -> o.withTime(time));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      throw new IllegalStateException(interrupt);
    }
  }

  /** Messages 1 to {@code count}, in order. It checks that nothing is skipped after a begin. */
  private static final class Log implements MessageSource {
    private final ManualTime time;
    private final List<Message> messages;
    private final SplittableRandom random;
    private int next;

    Log(ManualTime time, List<Message> messages, SplittableRandom random) {
      this.time = time;
      this.messages = messages;
      this.random = random;
    }

    @Override
    public String name() {
      return "log";
    }

    @Override
    public void begin(Optional<String> position) {
      next = position.map(Integer::parseInt).orElse(0);
    }

    @Override
    public List<Message> pull(int max, Duration wait) {
      if (next == messages.size()) {
        time.advance(wait);
        return List.of();
      }
      int end = Math.min(messages.size(), next + 1 + random.nextInt(max));
      List<Message> found = messages.subList(next, end);
      next = end;
      return found;
    }

    @Override
    public Acknowledged ack(List<Message> list) {
      return new Acknowledged(list.size(), 0);
    }

    @Override
    public void nack(List<Message> list) {}

    @Override
    public void extend(List<Message> list) {
      throw new IllegalStateException("There are no leases here");
    }

    @Override
    public boolean inOrder() {
      return true;
    }

    @Override
    public Optional<Duration> lease() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  private static final class Trial {
    private final long seed;
    private final SplittableRandom faults;
    private final ManualTime time = ManualTime.selfAdvancing();
    private final MemoryWarehouse warehouse = new MemoryWarehouse();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final Log log;
    private int stored;

    Trial(long seed) {
      this.seed = seed;
      SplittableRandom random = new SplittableRandom(seed);
      this.faults = random.split();
      int count = 1 + random.nextInt(200);
      for (int i = 1; i <= count; i++) {
        messages.add(message(i, random));
      }
      this.log = new Log(time, messages, random.split());
      warehouse.behave(this::merge);
    }

    private static Message message(int number, SplittableRandom random) {
      int draw = random.nextInt(12);
      String value = draw == 0 ? "bad" : draw == 1 ? "poison" : draw == 2 ? "none" : "v" + number;
      return Message.of(
              "m" + number,
              Instant.EPOCH.plusSeconds(number),
              Map.of("key", "k" + random.nextInt(20), "value", value),
              new byte[0])
          .withPosition(Integer.toString(number));
    }

    void run() {
      String end = Integer.toString(messages.size());
      for (int i = 0; i < 200 && !warehouse.position("log").equals(Optional.of(end)); i++) {
        try (Loader loader =
            Loader.open(
                log,
                warehouse,
                new KeyValueMapping(),
                letters::addAll,
                o -> o.withTime(time).withBatchMax(1 + faults.nextInt(30), 900_000))) {
          LoadResult result = loader.drain();
          assertThat(result.pulled())
              .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
          if (result.ending() instanceof LoadResult.Ending.Crashed(Throwable cause)) {
            assertThat(cause).as("seed " + seed).isInstanceOf(StackOverflowError.class);
          }
        }
      }
      assertThat(warehouse.position("log")).as("seed " + seed).contains(end);
      assertThat(warehouse.table(1)).as("table of seed " + seed).isEqualTo(model());
      assertThat(warehouse.mistakes()).isEmpty();
      Set<String> dead =
          letters.stream().map(letter -> letter.message().id()).collect(Collectors.toSet());
      assertThat(messages)
          .filteredOn(message -> "bad".equals(message.attributes().get("value")))
          .as("seed " + seed)
          .allMatch(message -> dead.contains(message.id()));
    }

    /** Positions never go back, and a batch begins behind the last one that was stored. */
    private MergeOutcome merge(Batch batch, Supplier<MergeOutcome> store) {
      int position = batch.position().map(Integer::parseInt).orElseThrow();
      assertThat(position).as("positions of seed " + seed).isGreaterThanOrEqualTo(stored);
      boolean poison = batch.rows().stream().anyMatch(row -> "poison".equals(row.value(1)));
      int draw = faults.nextInt(10);
      if (draw == 0) {
        return new MergeOutcome.Unavailable("503");
      }
      if (poison) {
        return new MergeOutcome.Refused("poison");
      }
      if (draw == 1) {
        throw new IllegalStateException("Killed before the merge");
      }
      MergeOutcome outcome = store.get();
      stored = position;
      if (draw == 2) {
        throw new StackOverflowError("Killed after the merge");
      }
      return draw == 3 ? new MergeOutcome.Unknown("The answer is lost") : outcome;
    }

    private Map<List<Object>, Object> model() {
      Map<List<Object>, Object> table = new HashMap<>();
      Set<String> none = Set.of("bad", "poison", "none");
      for (Message message : messages) {
        String value = String.valueOf(message.attributes().get("value"));
        if (!none.contains(value)) {
          table.put(List.of(String.valueOf(message.attributes().get("key"))), value);
        }
      }
      return table;
    }
  }
}
