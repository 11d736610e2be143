package dev.tidemark.changes.internal.partition;

import dev.tidemark.changes.MetadataStore;

class MemoryMetadataTest extends MetadataContract {
  private final MetadataStore store = MetadataStore.inMemory(time);

  @Override
  MetadataStore store() {
    return store;
  }
}
