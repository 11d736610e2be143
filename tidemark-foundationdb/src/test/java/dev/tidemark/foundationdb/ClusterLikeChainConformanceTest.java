package dev.tidemark.foundationdb;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.WithoutIds;

/**
 * The chain of {@link FoundationDbChainConformanceTest} over a database that acts like a cluster:
 * what the adapter promises beyond the client, it has to do itself.
 */
class ClusterLikeChainConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    Database below =
        ClusterLikeDatabase.over(
                time, clock -> EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(clock)))
            .readingAhead();
    return WithoutIds.over(
        FoundationDb.over(
            FdbFacade.of(below),
            FoundationDbOptions.DEFAULTS.withTime(time).withoutSamples(),
            limits),
        below);
  }

  @Override
  protected boolean actsLikeACluster() {
    return true;
  }
}
