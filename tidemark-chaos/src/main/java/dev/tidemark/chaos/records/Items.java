package dev.tidemark.chaos.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.IndexSpec;
import java.util.List;
import java.util.Map;

/** Where {@code chaos records} keeps its items. */
final class Items {
  static final int WRITERS = 8;

  /** How many numbers each writer has, which nobody else uses. */
  static final int OF_EACH_WRITER = 150;

  private Items() {}

  static RecordStore<Item> open(Database database) {
    return RecordSpace.open(database, Item_.SCHEMA, Subspace.of("items")).store(Item_.TYPE);
  }

  /** The indexes that are built again and again. */
  static List<String> builtAnew() {
    return Item_.SCHEMA.indexes().stream()
        .map(IndexSpec::name)
        .filter(name -> !name.endsWith(Item.KEPT))
        .toList();
  }

  /** Those of the indexes that are not complete now. */
  static List<String> unfinished(RecordStore<Item> store) {
    return store
        .space()
        .database()
        .read(tx -> store.space().indexes().states(tx))
        .entrySet()
        .stream()
        .filter(index -> !index.getValue().isReadable())
        .map(Map.Entry::getKey)
        .toList();
  }
}
