package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sinks on Tidemark's own store. */
class KvSinkConformanceTest extends SinkConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
