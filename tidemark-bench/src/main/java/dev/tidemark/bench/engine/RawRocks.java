package dev.tidemark.bench.engine;

import dev.tidemark.bench.rows.Batch;
import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.internal.storage.RocksTuning;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.Cache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB by itself, with the engine's options, on a copy of the engine's files. */
final class RawRocks implements AutoCloseable {
  private static final long POLL_MILLIS = 20;

  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final RocksDB db;
  private final WriteOptions sync;

  RawRocks(Path directory) throws RocksDBException {
    this(directory, EmbeddedOptions.DEFAULTS.cacheBytes());
  }

  /** Opens or makes files in {@code directory}, with a cache of {@code cacheBytes}. */
  RawRocks(Path directory, long cacheBytes) throws RocksDBException {
    EmbeddedOptions settings = EmbeddedOptions.DEFAULTS.withCacheBytes(cacheBytes);
    Cache cache = own(RocksTuning.cache(settings.cacheBytes()));
    Options options = own(RocksTuning.options(settings, cache, owned).setCreateIfMissing(true));
    sync = own(new WriteOptions().setSync(true));
    db = own(RocksDB.open(options, directory.toString()));
  }

  byte[] get(byte[] key) throws RocksDBException {
    byte[] value = db.get(key);
    if (value == null) {
      throw new IllegalStateException("A key that was loaded is missing");
    }
    return value;
  }

  /** Reads {@code rows} rows into arrays, at a snapshot, and returns their bytes. */
  long scan(byte[] from, int rows) throws RocksDBException {
    Snapshot snapshot = db.getSnapshot();
    try (ReadOptions options = new ReadOptions().setSnapshot(snapshot);
        RocksIterator iterator = db.newIterator(options)) {
      long bytes = 0;
      int read = 0;
      for (iterator.seek(from); iterator.isValid() && read < rows; iterator.next()) {
        bytes += iterator.key().length + iterator.value().length;
        read++;
      }
      iterator.status();
      return bytes;
    } finally {
      db.releaseSnapshot(snapshot);
      snapshot.close();
    }
  }

  /** Reads everything and returns the number of rows. */
  long scanAll() {
    long rows = 0;
    try (RocksIterator iterator = db.newIterator()) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        rows++;
      }
    }
    return rows;
  }

  /** Returns when there is nothing left to compact. */
  void awaitCompactions() throws RocksDBException, InterruptedException {
    while (db.getLongProperty("rocksdb.compaction-pending") > 0
        || db.getLongProperty("rocksdb.num-running-compactions") > 0) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Bytes of all tables, those still held by readers included. */
  long fileBytes() throws RocksDBException {
    return db.getLongProperty("rocksdb.total-sst-files-size");
  }

  void commit(Batch batch) throws RocksDBException {
    try (WriteBatch writes = new WriteBatch()) {
      batch.writeTo(writes::put);
      db.write(sync, writes);
    }
  }

  private <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  @Override
  public void close() {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception failure) {
        throw new IllegalStateException("RocksDB does not close", failure);
      }
    }
  }
}
