package dev.tidemark.records;

import dev.tidemark.kv.Database;

/** Scrubs on a store that acts like a cluster. */
class ScrubberClusterLikeTest extends ScrubberTest {
  @Override
  Database open() {
    return TestStores.clusterLike();
  }
}
