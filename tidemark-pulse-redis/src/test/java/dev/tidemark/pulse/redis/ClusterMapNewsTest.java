package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.MapNewsConformance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** On a cluster of three servers. */
@ResourceLock("cluster")
class ClusterMapNewsTest extends MapNewsConformance {
  @RegisterExtension static final OneCluster CLUSTER = new OneCluster();

  @Override
  protected Pulse open() {
    return CLUSTER.connect();
  }

  @Override
  protected void unheard(Runnable writes) {
    CLUSTER.cutChannels();
    writes.run();
    CLUSTER.cutChannels();
  }
}
