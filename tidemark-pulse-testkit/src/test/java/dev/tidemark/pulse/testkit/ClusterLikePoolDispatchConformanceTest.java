package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs on a store that acts like a cluster. */
class ClusterLikePoolDispatchConformanceTest extends PoolDispatchConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::clusterLike);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
