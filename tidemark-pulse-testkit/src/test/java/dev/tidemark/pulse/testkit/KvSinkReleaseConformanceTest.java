package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events given back or kept on Tidemark's own store. */
class KvSinkReleaseConformanceTest extends SinkReleaseConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
