package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Losses of sinks on a store that acts like a cluster. */
class ClusterLikeSinkLossConformanceTest extends SinkLossConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::clusterLike);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
