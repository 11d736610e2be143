package dev.tidemark.pulse.internal.pool.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;

class PoolSimulationTest {
  private static final int STEPS = 600;

  /** Never two owners with one epoch, never a lost job, never more queued than allowed. */
  @ParameterizedTest
  @SeedSource(count = 12)
  void poolKeepsItsPromisesThroughFaultsCrashesAndPauses(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FaultPlan plan =
        FaultPlan.random(
            seed,
            0.1,
            Fault.CONFLICT,
            Fault.UNKNOWN_COMMITTED,
            Fault.UNKNOWN_NOT_COMMITTED,
            Fault.UNKNOWN_ON_ITS_WAY);
    try (FaultyDatabase database = FaultyDatabase.over(EmbeddedDatabase.inMemory(), plan);
        RowStore store = RowStore.in(database, Subspace.of("pool"))) {
      PoolSimulation simulation = new PoolSimulation(store, random);
      simulation.addWorker(simulation.join());
      for (int i = 0; i < STEPS; i++) {
        simulation.step();
      }

      assertThat(simulation.runningAfterACrashOfAll()).isEqualTo(simulation.jobs);
    }
  }
}
