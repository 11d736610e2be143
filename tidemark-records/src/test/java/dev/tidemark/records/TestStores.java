package dev.tidemark.records;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.foundationdb.FoundationDb;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;
import dev.tidemark.testkit.cluster.GivenCluster;

/** The stores that tests of records run on. */
final class TestStores {
  /** {@code -Dtidemark.store=cluster-like} has the tests that ask here run on such a store. */
  private static final boolean CLUSTER_LIKE =
      System.getProperty("tidemark.store", "embedded").equals("cluster-like");

  private TestStores() {}

  /** A store in memory. */
  static Database inMemory() {
    return CLUSTER_LIKE ? clusterLike() : EmbeddedDatabase.inMemory();
  }

  /** The given cluster; without one, a store in memory that acts like one. */
  static Database clusterLike() {
    return GivenCluster.isGiven()
        ? GivenCluster.emptied(FoundationDb::open)
        : ClusterLikeDatabase.over(clock -> EmbeddedDatabase.inMemory(o -> o.withTime(clock)));
  }
}
