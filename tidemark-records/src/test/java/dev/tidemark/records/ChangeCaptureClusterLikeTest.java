package dev.tidemark.records;

import dev.tidemark.kv.Database;

/** Captured changes on a store that acts like a cluster. */
class ChangeCaptureClusterLikeTest extends ChangeCaptureTest {
  @Override
  Database open() {
    return TestStores.clusterLike();
  }
}
