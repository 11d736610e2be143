package dev.tidemark.pulse.testkit;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.decorate.ForwardingDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cron on Tidemark's own store. */
class KvPoolCronConformanceTest extends PoolCronConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);

  @Override
  protected Pulse openAhead(Duration ahead) {
    return Pulse.on(
        new ForwardingDatabase(databases.database()) {
          @Override
          public Instant timeOf(long version) {
            return super.timeOf(version).plus(ahead);
          }
        });
  }
}
