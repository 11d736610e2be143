package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How jobs stop on Tidemark's own store. */
class KvPoolStopConformanceTest extends PoolStopConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
