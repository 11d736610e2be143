package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools whose nodes fall silent, on Tidemark's own store. */
class KvPoolFailoverConformanceTest extends PoolFailoverConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Override
  protected CutPulse openToCut() {
    return CutDatabase.pulse(databases.database());
  }
}
