package dev.tidemark.foundationdb;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.WithoutIds;

/**
 * Our API on fdb-java's interfaces on our API: the cluster's client is the facade of an embedded
 * database, so that every promise is kept through both.
 */
class FoundationDbChainConformanceTest extends DatabaseConformance {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    EmbeddedDatabase below = EmbeddedDatabase.inMemory(o -> o.withLimits(limits).withTime(time));
    return WithoutIds.over(
        FoundationDb.over(
            FdbFacade.of(below),
            FoundationDbOptions.DEFAULTS.withTime(time).withoutSamples(),
            limits),
        below);
  }
}
