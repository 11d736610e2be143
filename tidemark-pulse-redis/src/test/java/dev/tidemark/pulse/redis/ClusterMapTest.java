package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.MapConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a cluster of three servers. */
class ClusterMapTest extends MapConformance {
  @RegisterExtension static final OneCluster CLUSTER = new OneCluster();

  @Override
  protected Pulse open() {
    return CLUSTER.connect();
  }
}
