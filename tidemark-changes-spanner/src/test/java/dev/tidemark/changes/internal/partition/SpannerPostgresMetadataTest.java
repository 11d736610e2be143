package dev.tidemark.changes.internal.partition;

import com.google.cloud.spanner.Dialect;

/** The same in the dialect of PostgreSQL. */
class SpannerPostgresMetadataTest extends SpannerMetadataTest {
  @Override
  Dialect dialect() {
    return Dialect.POSTGRESQL;
  }
}
