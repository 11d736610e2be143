package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events given back or kept on a store whose commits go wrong. */
class FaultySinkReleaseConformanceTest extends SinkReleaseConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::faulty);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
