package dev.tidemark.testkit.conformance;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.check.ModelCheck;
import dev.tidemark.testkit.check.SerializabilityCheck;
import dev.tidemark.testkit.junit.SeedSource;
import org.junit.jupiter.params.ParameterizedTest;

/** Random programs against a model. */
abstract class ProgramConformance extends ConformanceSuite {
  ProgramConformance(DatabaseConformance engine) {
    super(engine);
  }

  private Database openAnother() {
    return engine.open(Limits.DEFAULTS, TimeSource.system());
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 20)
  void everyAnswerIsThatOfASortedMap(long seed) {
    ModelCheck.run(seed, this::openAnother);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 10)
  void interleavedTransactionsAreStrictlySerializable(long seed) {
    SerializabilityCheck.interleaved(seed, db, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 6)
  void concurrentTransactionsAreStrictlySerializable(long seed) throws Exception {
    SerializabilityCheck.concurrent(seed, db, 6, 60);
  }
}
