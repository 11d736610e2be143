package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/**
 * Two loaders on one queue and one table of a real warehouse. A seed decides what is published, in
 * what order, how often it is delivered, which merges fail or have an unknown outcome, and when
 * loaders are killed. The table ends as a model says.
 */
final class TwoLoadersTrial {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final int ROUNDS_MAX = 300;

  private final long seed;
  private final SplittableRandom random;
  private final ManualTime time = ManualTime.selfAdvancing();
  private final QueueModel queue = new QueueModel(time, LEASE);
  private final PairsModel model;
  private final List<Warehouse> warehouses;
  private final int faultsOf100;

  /** A trial in which the loaders use these warehouses, whose data is the same. */
  TwoLoadersTrial(long seed, Warehouse one, Warehouse other) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.model = new PairsModel(seed, random, queue);
    this.warehouses = List.of(one, other);
    this.faultsOf100 = random.nextInt(50);
  }

  /** Fails as it likes before a merge or behind it. */
  private final class Faulty implements Warehouse {
    private final Warehouse real;
    private final SplittableRandom faults;

    Faulty(Warehouse real, SplittableRandom faults) {
      this.real = real;
      this.faults = faults;
    }

    @Override
    public void prepare(Table table, Table.Policy policy) {
      real.prepare(table, policy);
    }

    @Override
    public MergeOutcome merge(Batch batch) {
      time.advance(Duration.ofMillis(faults.nextInt(500)));
      if (faults.nextInt(10) == 0) {
        model.deliverAgain(faults);
      }
      if (faults.nextInt(100) >= faultsOf100) {
        return real.merge(batch);
      }
      int kind = faults.nextInt(7);
      if (kind < 4) {
        return failure(kind);
      }
      MergeOutcome outcome = real.merge(batch);
      return outcome instanceof MergeOutcome.Merged ? failure(kind - 3) : outcome;
    }

    private MergeOutcome failure(int kind) {
      return switch (kind) {
        case 0 -> new MergeOutcome.Unavailable("503");
        case 1 -> new MergeOutcome.Unknown("The answer is lost");
        case 2 -> throw new IllegalStateException("The connection broke");
        default -> {
          queue.crash();
          throw new PairsModel.Crash();
        }
      };
    }

    @Override
    public void expect(Table table, List<Row> rows) {
      real.expect(table, rows);
    }

    @Override
    public MergeOutcome settle(UUID job) {
      return real.settle(job);
    }

    @Override
    public Optional<String> position(String source) {
      return real.position(source);
    }

    @Override
    public void close() {}
  }

  /** Runs both loaders again and again until the queue is empty. */
  void run() throws Exception {
    model.publish(20 + random.nextInt(150), 1 + random.nextInt(40));
    for (int round = 0; queue.backlog() > 0; round++) {
      assertThat(round).as("rounds of seed " + seed).isLessThan(ROUNDS_MAX);
      both();
      // What a loader that was killed held comes back.
      time.advance(LEASE.plusSeconds(1));
    }
    model.checkQueue();
  }

  private void both() throws Exception {
    List<Future<LoadResult>> runs = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Warehouse warehouse : warehouses) {
        SplittableRandom own = random.split();
        runs.add(threads.submit(() -> load(warehouse, own)));
      }
    }
    for (Future<LoadResult> run : runs) {
      LoadResult result = run.get();
      assertThat(result.pulled())
          .as("messages of a run of seed " + seed)
          .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
    }
  }

  private LoadResult load(Warehouse warehouse, SplittableRandom own) {
    UnaryOperator<LoaderOptions> options =
        o -> o.withTime(time).withBatchMax(1 + own.nextInt(60), 100 + own.nextInt(20_000));
    try (Loader loader =
        Loader.open(
            queue,
            new Faulty(warehouse, own.split()),
            new KeyValueMapping(),
            (DeadLetters) warehouse,
            options)) {
      return own.nextBoolean()
          ? loader.drain()
          : loader.drain(TimeBudget.of(Duration.ofSeconds(1 + own.nextInt(300))));
    }
  }

  /** What has to become of the messages. */
  PairsModel model() {
    return model;
  }
}
