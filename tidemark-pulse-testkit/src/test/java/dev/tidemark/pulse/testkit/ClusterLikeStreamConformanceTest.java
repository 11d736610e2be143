package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams on a store that acts like a cluster. */
class ClusterLikeStreamConformanceTest extends StreamConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::clusterLike);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }
}
