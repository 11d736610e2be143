package dev.tidemark.foundationdb;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.testkit.conformance.DatabaseConformance;
import dev.tidemark.testkit.decorate.WithoutIds;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The promises on a real cluster, the one whose cluster file FDB_CLUSTER_FILE names. <b>Each test
 * empties it first</b>, so it must be one for tests.
 */
@EnabledIf("clusterIsGiven")
class ClusterConformanceTest extends DatabaseConformance {
  private static final Optional<String> CLUSTER_FILE =
      Optional.ofNullable(System.getenv("FDB_CLUSTER_FILE"));

  static boolean clusterIsGiven() {
    if (CLUSTER_FILE.isEmpty()) {
      System.out.println(
          "No conformance on a cluster: FDB_CLUSTER_FILE does not name one that may be emptied");
    }
    return CLUSTER_FILE.isPresent();
  }

  @Override
  protected Database open(Limits limits, TimeSource time) {
    FoundationDb database =
        FoundationDb.open(Path.of(CLUSTER_FILE.orElseThrow()), o -> o.withoutSamples());
    Database empty = WithoutIds.over(database);
    empty.run(tx -> tx.clear(KeyRange.ALL));
    return empty;
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
