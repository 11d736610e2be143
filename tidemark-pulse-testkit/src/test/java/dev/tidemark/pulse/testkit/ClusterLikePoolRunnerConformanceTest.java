package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools whose jobs end, on a store that acts like a cluster and takes its time like one. */
class ClusterLikePoolRunnerConformanceTest extends PoolRunnerConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::slowlyBeginning);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
