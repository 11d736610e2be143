package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers on Tidemark's own store. */
class KvReaderConformanceTest extends ReaderConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
