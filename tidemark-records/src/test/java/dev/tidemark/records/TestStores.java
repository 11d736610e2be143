package dev.tidemark.records;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.cluster.ClusterLikeDatabase;

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

  /** A store in memory that acts like a cluster. */
  static Database clusterLike() {
    return ClusterLikeDatabase.over(clock -> EmbeddedDatabase.inMemory(o -> o.withTime(clock)));
  }
}
