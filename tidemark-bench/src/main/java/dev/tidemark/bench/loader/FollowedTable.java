package dev.tidemark.bench.loader;

import dev.tidemark.bench.records.User;
import dev.tidemark.bench.records.User_;
import dev.tidemark.bench.records.Users;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.loader.RecordTable;
import dev.tidemark.loader.TableSync;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.nio.file.Path;

/**
 * A change stream on disk that a table of DuckDB follows. All changes are there before the clock
 * starts, so that only reading and storing them counts.
 */
final class FollowedTable {
  private static final String STREAM = "all";
  private static final int SAVES_PER_COMMIT = 1_000;

  private FollowedTable() {}

  /** Changes a second until the table has the last one. */
  static double changesPerSecond(Path store, Path file, Users users) throws InterruptedException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(store)) {
      RecordSpace space =
          RecordSpace.open(
              database,
              User_.SCHEMA.withStreams(
                  ChangeStreamSpec.of(STREAM).withCapture(CaptureType.NEW_ROW)),
              Subspace.of("users"));
      RecordStore<User> saved = space.store(User_.TYPE);
      for (int from = 0; from < users.size(); from += SAVES_PER_COMMIT) {
        int first = from;
        database.run(
            tx -> users.initial(first, SAVES_PER_COMMIT).forEach(user -> saved.save(tx, user)));
      }
      try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(file)) {
        return follow(database, space, warehouse, users.size());
      }
    }
  }

  private static double follow(
      EmbeddedDatabase database, RecordSpace space, DuckDbWarehouse warehouse, int changes)
      throws InterruptedException {
    long begin = System.nanoTime();
    try (TableSync sync =
        TableSync.start(
            RecordChangeSource.of(space, STREAM),
            MetadataStore.in(database, Subspace.of("readers")),
            RecordTable.of(User_.TYPE.spec()),
            warehouse)) {
      while (sync.changes() < changes) {
        if (sync.endReason().isPresent()) {
          throw new IllegalStateException("The table is no longer followed: " + sync.endReason());
        }
        Thread.sleep(1);
      }
      return changes * 1e9 / (System.nanoTime() - begin);
    }
  }
}
