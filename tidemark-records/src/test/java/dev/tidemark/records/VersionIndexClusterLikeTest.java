package dev.tidemark.records;

import dev.tidemark.kv.Database;

/** Versions of records on a store that acts like a cluster. */
class VersionIndexClusterLikeTest extends VersionIndexTest {
  @Override
  Database open() {
    return TestStores.clusterLike();
  }
}
