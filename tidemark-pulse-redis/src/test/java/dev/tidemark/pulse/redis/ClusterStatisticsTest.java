package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.StatisticsConformance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** On a cluster of three servers. */
@ResourceLock("cluster")
class ClusterStatisticsTest extends StatisticsConformance {
  @RegisterExtension static final OneCluster CLUSTER = new OneCluster();

  @Override
  protected Pulse open() {
    return CLUSTER.connect();
  }
}
