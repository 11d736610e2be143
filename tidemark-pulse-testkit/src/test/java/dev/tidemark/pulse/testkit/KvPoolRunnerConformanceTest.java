package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools whose jobs end, on Tidemark's own store. */
class KvPoolRunnerConformanceTest extends PoolRunnerConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
