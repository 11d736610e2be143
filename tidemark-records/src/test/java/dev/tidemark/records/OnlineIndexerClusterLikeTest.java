package dev.tidemark.records;

import dev.tidemark.kv.Database;

/** Builds of indexes on a store that acts like a cluster. */
class OnlineIndexerClusterLikeTest extends OnlineIndexerTest {
  @Override
  Database open() {
    return TestStores.clusterLike();
  }
}
