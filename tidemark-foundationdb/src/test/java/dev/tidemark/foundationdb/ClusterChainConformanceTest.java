package dev.tidemark.foundationdb;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.cluster.GivenCluster;
import dev.tidemark.testkit.decorate.WithoutIds;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIf;

/** The chain of {@link FoundationDbChainConformanceTest} over a {@link GivenCluster}. */
@EnabledIf("clusterIsGiven")
class ClusterChainConformanceTest extends ClusterConformanceTest {
  @Override
  protected Database open(Limits limits, TimeSource time) {
    return GivenCluster.emptied(ClusterChainConformanceTest::chainOver);
  }

  private static Database chainOver(Path file) {
    Database below = FoundationDb.open(file, o -> o.withoutSamples());
    return WithoutIds.over(
        FoundationDb.over(
            FdbFacade.of(WithoutIds.over(below)),
            FoundationDbOptions.DEFAULTS.withoutSamples(),
            below.limits()),
        below);
  }
}
