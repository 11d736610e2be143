package dev.tidemark.changes.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RetryOptions;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.changes.internal.watermark.Frontier;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs on virtual time: commits, splits, merges and moves; two processes whose every
 * step is chosen by chance; failures of the source and of the metadata store; crashes before and
 * after each change of the metadata. The seed is in the name of each test.
 */
class SimulationTest {
  private static final int KEYS = 12;
  private static final int STEPS = 2_500;
  private static final int SETTLE = 200_000;
  private static final Duration LEASE = Duration.ofSeconds(10);

  static Stream<Arguments> programs() {
    return Stream.of(OrderMode.values())
        .flatMap(
            mode ->
                IntStream.range(0, Integer.getInteger("tidemark.changes.seeds", 8))
                    .mapToObj(seed -> Arguments.of(mode, (long) seed)));
  }

  @ParameterizedTest(name = "mode {0}, seed {1}")
  @MethodSource("programs")
  void nothingIsLostOrOutOfOrderAndWatermarksNeverLie(OrderMode mode, long seed) {
    new Program(mode, seed).run();
  }

  private static final class Program {
    private final SplittableRandom random;
    private final ManualTime time = ManualTime.standing();
    private final ScriptedSource source = new ScriptedSource(3, KEYS);
    private final FaultyMetadata store;
    private final ReaderOptions options;
    private final Oracle oracle;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<SimulatedProcess, Frontier> marks = new HashMap<>();
    private final boolean sourceFaults;
    private final boolean metadataFaults;
    private int members;

    Program(OrderMode mode, long seed) {
      this.random = new SplittableRandom(seed * 31 + mode.name().hashCode());
      this.store = new FaultyMetadata(MetadataStore.inMemory(time), random.split());
      this.oracle = new Oracle(source, mode);
      this.options =
          ReaderOptions.forRun("run")
              .withOrder(mode)
              .withTime(time)
              .withLease(LEASE)
              .withSoftTimeout(Duration.ofSeconds(30))
              .withInFlightPerPartition(1 + random.nextInt(8))
              .withBytesInFlight(300 + random.nextInt(3_000))
              .withRetry(RetryOptions.defaults().withRetries(1_000_000));
      this.sourceFaults = random.nextBoolean();
      this.metadataFaults = random.nextInt(3) > 0;
      source.setTogether(random.nextBoolean());
    }

    void run() {
      disturb(true);
      for (int i = 0; i < STEPS; i++) {
        write();
        step();
      }
      disturb(false);
      for (int i = 0; i < SETTLE && !oracle.isComplete(); i++) {
        step();
        if (i % 50 == 0) {
          source.tick();
        }
      }
      assertThat(oracle.missing()).as("changes that were never acknowledged").isEmpty();
      assertThat(oracle.deliveries()).isGreaterThan(100);
    }

    private void disturb(boolean on) {
      store.setFaults(on && metadataFaults ? 0.02 : 0, on && metadataFaults ? 0.01 : 0);
      source.setFaults(token -> on && sourceFaults && isFaulty());
    }

    private boolean isFaulty() {
      int chance = random.nextInt(200);
      if (chance == 0) {
        throw new ChangeSourceException(ChangeSourceException.Kind.UNAVAILABLE, "Injected", null);
      }
      return false;
    }

    private void write() {
      switch (random.nextInt(40)) {
        case 0, 1, 2, 3, 4, 5 -> source.commit(keys());
        case 6, 7 -> source.tick();
        case 8 -> reshape();
        default -> {}
      }
    }

    private List<Integer> keys() {
      List<Integer> keys = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        int key = random.nextInt(KEYS);
        if (!keys.contains(key)) {
          keys.add(key);
        }
      }
      return keys;
    }

    private void reshape() {
      List<String> alive = source.alive();
      String token = alive.get(random.nextInt(alive.size()));
      switch (random.nextInt(3)) {
        case 0 -> {
          if (alive.size() < 6) {
            source.split(token);
          }
        }
        case 1 -> {
          String other = alive.get(random.nextInt(alive.size()));
          if (!other.equals(token)) {
            source.merge(token, other);
          }
        }
        default -> source.move(token);
      }
    }

    private void step() {
      time.advance(Duration.ofMillis(random.nextInt(20)));
      if (processes.size() < 2 && random.nextInt(20) == 0) {
        begin();
      }
      if (processes.isEmpty()) {
        return;
      }
      int chosen = random.nextInt(processes.size());
      SimulatedProcess process = processes.get(chosen);
      try {
        if (random.nextInt(2_000) == 0) {
          // A pause that is longer than the lease makes it a zombie.
          time.advance(LEASE.multipliedBy(2));
        }
        process.step();
        check(process);
      } catch (FaultyMetadata.Crash crash) {
        processes.remove(chosen);
      }
    }

    private void begin() {
      try {
        processes.add(
            new SimulatedProcess("m" + members++, source, store, options, oracle, random.split()));
      } catch (FaultyMetadata.Crash | DatabaseException early) {
        // It comes again.
      }
    }

    private void check(SimulatedProcess process) {
      Optional<Frontier> mark = process.engine().ackWatermark();
      Frontier before = marks.get(process);
      if (mark.isPresent() && !mark.get().equals(before)) {
        if (before != null) {
          assertThat(Frontier.by(source::compare).compare(mark.get(), before))
              .as("the watermark goes on")
              .isPositive();
        }
        marks.put(process, mark.get());
        oracle.checkAckWatermark(mark.get());
      }
    }
  }
}
