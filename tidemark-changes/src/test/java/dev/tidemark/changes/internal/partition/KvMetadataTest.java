package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.MetadataStore;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import org.junit.jupiter.api.AfterEach;

class KvMetadataTest extends MetadataContract {
  private final Database database = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  private final MetadataStore store = MetadataStore.in(database, Subspace.of("changes"));

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  MetadataStore store() {
    return store;
  }
}
