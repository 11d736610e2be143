package dev.tidemark.foundationdb;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.cluster.GivenCluster;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.WithoutIds;
import org.junit.jupiter.api.condition.EnabledIf;

/** The promises on a {@link GivenCluster}, which <b>each test empties first</b>. */
@EnabledIf("clusterIsGiven")
class ClusterConformanceTest extends DatabaseConformance {
  static boolean clusterIsGiven() {
    if (!GivenCluster.isGiven()) {
      System.out.println(
          "No conformance on a cluster: FDB_CLUSTER_FILE does not name one that may be emptied");
    }
    return GivenCluster.isGiven();
  }

  @Override
  protected Database open(Limits limits, TimeSource time) {
    return GivenCluster.emptied(
        file -> WithoutIds.over(FoundationDb.open(file, o -> o.withoutSamples())));
  }

  /** A cluster has a clock of its own. */
  @Override
  protected boolean takesClock() {
    return false;
  }

  /** A cluster's limits are its own. */
  @Override
  protected boolean takesLimits() {
    return false;
  }

  @Override
  protected boolean actsLikeACluster() {
    return true;
  }

  /** A cluster estimates from samples, which may lag behind. */
  @Override
  protected boolean estimatesAtOnce() {
    return false;
  }
}
