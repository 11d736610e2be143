package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What copies of maps on Tidemark's own store hear. */
class KvMapNewsConformanceTest extends MapNewsConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
