package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Whatever happens on the way, the table ends as a model says, and every message is acknowledged. A
 * seed decides what is published, in what order, how often it is delivered, and what fails.
 */
@Timeout(300)
class LoaderModelTest {
  private static final int RUNS_MAX = 500;

  @ParameterizedTest
  @SeedSource(count = 60)
  void anyInterleavingLeavesTheTableOfTheModel(long seed) {
    new Trial(seed).run();
  }

  private static final class Trial {
    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom faults;
    private final ManualTime time = ManualTime.selfAdvancing();
    private final QueueModel queue = new QueueModel(time, Duration.ofSeconds(30));
    private final MemoryWarehouse warehouse = new MemoryWarehouse();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private final PairsModel model;
    private final int faultsOf100;
    private boolean crashed;

    Trial(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.faults = random.split();
      this.model = new PairsModel(seed, random, queue);
      this.faultsOf100 = random.nextInt(60);
      warehouse.behave(this::merge);
    }

    void run() {
      model.publish(1 + random.nextInt(150), 1 + random.nextInt(30));
      int runs = 0;
      while (queue.backlog() > 0) {
        assertThat(++runs).as("runs of seed " + seed).isLessThan(RUNS_MAX);
        once();
      }
      check();
    }

    private void once() {
      crashed = false;
      LoadResult result;
      try (Loader loader =
          Loader.open(
              queue,
              warehouse,
              new KeyValueMapping(),
              letters::addAll,
              o ->
                  o.withTime(time)
                      .withBatchMax(1 + random.nextInt(40), 100 + random.nextInt(20_000)))) {
        result =
            random.nextBoolean()
                ? loader.drain()
                : loader.drain(TimeBudget.of(Duration.ofSeconds(1 + random.nextInt(300))));
      }
      assertThat(result.pulled())
          .as("messages of a run of seed " + seed)
          .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
      if (crashed) {
        time.advance(Duration.ofSeconds(31));
      } else {
        assertThat(queue.leasedNow()).as("leases after a run of seed " + seed).isZero();
      }
    }

    private MergeOutcome merge(Batch batch, Supplier<MergeOutcome> store) {
      time.advance(Duration.ofMillis(faults.nextInt(2_000)));
      if (faults.nextInt(10) == 0) {
        model.deliverAgain(faults);
      }
      boolean poison =
          batch.rows().stream().anyMatch(row -> PairsModel.POISON.equals(row.value(1)));
      if (faults.nextInt(100) < faultsOf100) {
        return fault(poison, store);
      }
      return poison ? new MergeOutcome.Refused(PairsModel.POISON) : store.get();
    }

    private MergeOutcome fault(boolean poison, Supplier<MergeOutcome> store) {
      int kind = faults.nextInt(6);
      if (kind >= 3 && !poison) {
        assertThat(store.get()).isInstanceOf(MergeOutcome.Merged.class);
      }
      return switch (kind) {
        case 0 -> new MergeOutcome.Unavailable("503");
        case 1, 3 -> new MergeOutcome.Unknown("The answer is lost");
        case 2, 4 -> throw new IllegalStateException("The connection broke");
        default -> {
          crashed = true;
          queue.crash();
          throw new PairsModel.Crash();
        }
      };
    }

    private void check() {
      model.checkQueue();
      assertThat(warehouse.mistakes()).as("seed " + seed).isEmpty();
      Map<List<Object>, Object> table = new HashMap<>();
      model.table().forEach((key, value) -> table.put(List.of(key), value));
      assertThat(warehouse.table(1)).as("table of seed " + seed).isEqualTo(table);
      model.checkLetters(letters.stream().map(letter -> letter.message().id()).toList());
    }
  }
}
