package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tickers, schedules, cron and delays on Tidemark's own store. */
class KvPoolTimeConformanceTest extends PoolTimeConformance {
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
