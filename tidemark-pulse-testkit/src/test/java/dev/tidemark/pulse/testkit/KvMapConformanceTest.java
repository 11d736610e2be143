package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maps on Tidemark's own store. */
class KvMapConformanceTest extends MapConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
