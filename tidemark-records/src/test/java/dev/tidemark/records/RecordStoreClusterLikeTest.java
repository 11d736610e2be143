package dev.tidemark.records;

import dev.tidemark.kv.Database;

/** Records on a store that acts like a cluster. */
class RecordStoreClusterLikeTest extends RecordStoreTest {
  @Override
  Database open() {
    return TestStores.clusterLike();
  }
}
