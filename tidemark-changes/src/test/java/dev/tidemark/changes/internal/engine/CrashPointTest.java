package dev.tidemark.changes.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.ScriptedSource;
import dev.tidemark.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that crashes right before or right after each change of the metadata, one after the
 * other: registration of the run, initial children, claims, first answers, positions in the middle
 * of a partition and at its end, children of splits, merges and moves, and finishes. The next
 * process completes the run with nothing lost and every key in order.
 */
class CrashPointTest {
  private static final int STEPS_MAX = 100_000;
  private static final Duration LEASE = Duration.ofSeconds(10);

  @ParameterizedTest
  @EnumSource(OrderMode.class)
  void nothingIsLostWhereverTheProcessCrashes(OrderMode mode) {
    int moment = 0;
    while (new Scenario(mode).crashesAt(moment)) {
      moment++;
    }
    assertThat(moment).as("moments that were tried").isGreaterThan(30);
  }

  private static final class Scenario {
    private final ManualTime time = ManualTime.standing();
    private final ScriptedSource source = new ScriptedSource(2, 4);
    private final FaultyMetadata store =
        new FaultyMetadata(MetadataStore.inMemory(time), new SplittableRandom(1));
    private final Oracle oracle;
    private final ReaderOptions options;

    Scenario(OrderMode mode) {
      write();
      List<String> halves = source.split("p0");
      write();
      source.merge(halves.getFirst(), "p1");
      write();
      source.move(halves.getLast());
      write();
      this.oracle = new Oracle(source, mode);
      this.options =
          ReaderOptions.forRun("run")
              .withOrder(mode)
              .withTime(time)
              .withLease(LEASE)
              .withInFlightPerPartition(3)
              .withEnd(source.timeOf(source.now()));
    }

    private void write() {
      for (int key = 0; key < 4; key++) {
        source.commit(key, (key + 1) % 4);
      }
    }

    /** Whether the moment came before the run was complete. */
    boolean crashesAt(int moment) {
      store.crashAt(moment);
      for (int process = 0; process < 2; process++) {
        if (completes("m" + process)) {
          break;
        }
        time.advance(LEASE.multipliedBy(2));
      }
      assertThat(oracle.missing()).as("missing after a crash at moment " + moment).isEmpty();
      assertThat(
              store.<Boolean>read(
                  "run", rows -> rows.partitions(1).stream().allMatch(PartitionRow::isFinished)))
          .isTrue();
      return store.crashes() > 0;
    }

    private boolean completes(String member) {
      try {
        SimulatedProcess process =
            new SimulatedProcess(
                member, source, store, options, oracle, new SplittableRandom(member.hashCode()));
        for (int i = 0; i < STEPS_MAX && !process.engine().isComplete(); i++) {
          time.advance(Duration.ofMillis(1));
          process.step();
        }
        return process.engine().isComplete();
      } catch (FaultyMetadata.Crash crash) {
        return false;
      }
    }
  }
}
