package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.SinkConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a cluster of three servers. */
class ClusterSinkTest extends SinkConformance {
  @RegisterExtension static final OneCluster CLUSTER = new OneCluster();

  @Override
  protected Pulse open() {
    return CLUSTER.connect();
  }
}
