package dev.tidemark.embedded;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.WithoutIds;

/** The promises, kept by what acts like a cluster: so they are not more than a cluster keeps. */
class ClusterLikeConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    return WithoutIds.over(
        ClusterLikeDatabase.over(
            time, clock -> EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(clock))));
  }

  @Override
  protected boolean actsLikeACluster() {
    return true;
  }
}
