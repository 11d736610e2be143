package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages to keys on Tidemark's own store. */
class KvPoolMessageConformanceTest extends PoolMessageConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Override
  protected CutPulse openToCut() {
    return CutDatabase.pulse(databases.database());
  }
}
