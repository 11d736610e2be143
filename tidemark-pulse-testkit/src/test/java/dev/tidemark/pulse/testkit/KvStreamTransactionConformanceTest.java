package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams and sinks in transactions of Tidemark's own store. */
class KvStreamTransactionConformanceTest extends StreamTransactionConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Database database() {
    return databases.database();
  }

  @Override
  protected Pulse open() {
    return Pulse.on(database());
  }
}
