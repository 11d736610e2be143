package dev.tidemark.embedded.internal.storage;

import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.internal.cache.Gaps;
import dev.tidemark.embedded.internal.cache.RowCache;
import dev.tidemark.embedded.internal.cache.ScanCache;
import dev.tidemark.embedded.internal.files.StorageErrors;
import dev.tidemark.embedded.internal.files.StoreFiles;
import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.StorageException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.Env;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.SstFileManager;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The RocksDB instance below a database, with everything native that belongs to it.
 *
 * <p>The caller makes sure that it is open: pinned versions count their readers, only the committer
 * calls {@link #write}, and the database guards the rest.
 */
public final class RocksStorage implements AutoCloseable {
  /** Where versions and other notes of the engine are kept, beyond every key of a program. */
  private static final byte[] VERSION_KEY = {(byte) 0xff, (byte) 0xff, '/', 'v'};

  /** Where the id of the store is kept. */
  static final byte[] STORE_KEY = {(byte) 0xff, (byte) 0xff, '/', 's'};

  private static final int STORE_ID_BYTES = 16;

  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final Cache cache;
  private final RowCache rows;
  private final ScanCache scans;
  private final Gaps gaps = new Gaps();
  private final RocksDB db;
  private final WriteOptions write;
  private final @Nullable LogRoom room;
  private final @Nullable StoreFiles files;
  private final AtomicInteger pinned = new AtomicInteger();

  private RocksStorage(
      @Nullable Path directory,
      @Nullable StoreFiles files,
      boolean create,
      EmbeddedOptions settings) {
    this.files = files;
    try {
      cache = own(RocksTuning.cache(settings.cacheBytes()));
      rows = new RowCache(settings.rowCacheBytes() / 2);
      scans = new ScanCache(settings.rowCacheBytes() - settings.rowCacheBytes() / 2);
      Options options = own(RocksTuning.options(settings, cache, owned).setCreateIfMissing(create));
      if (directory == null) {
        options.setEnv(own(new RocksMemEnv(Env.getDefault())));
      } else {
        options.setSstFileManager(own(new SstFileManager(Env.getDefault())));
      }
      if (files != null) {
        options.setListeners(List.of(own(new LogWatch(files::logsChanged))));
      }
      write =
          own(
              new WriteOptions()
                  .setDisableWAL(directory == null)
                  .setSync(directory != null && settings.sync()));
      db = own(RocksDB.open(options, directory == null ? "/tidemark" : directory.toString()));
      room = directory != null && settings.sync() ? roomIn(directory) : null;
    } catch (RocksDBException failure) {
      closeOwned();
      throw StorageErrors.of("Opening the database in " + directory, failure);
    } catch (RuntimeException failure) {
      closeOwned();
      throw failure;
    }
  }

  /** Opens the files in {@code directory}, which must be there unless {@code create}. */
  public static RocksStorage open(Path directory, boolean create, EmbeddedOptions settings) {
    RocksLibrary.load();
    return new RocksStorage(directory, null, create, settings);
  }

  /** Opens the files of a database, and lets them note its logs. */
  public static RocksStorage open(StoreFiles files, EmbeddedOptions settings) {
    RocksLibrary.load();
    return new RocksStorage(files.data(), files, files.isNew(), settings);
  }

  /** Opens an empty store without files. */
  public static RocksStorage inMemory(EmbeddedOptions settings) {
    RocksLibrary.load();
    return new RocksStorage(null, null, true, settings);
  }

  private @Nullable LogRoom roomIn(Path directory) {
    return LogRoom.isPossible(directory) ? own(new LogRoom(directory)) : null;
  }

  /** Pins what has been written so far as {@code version}. */
  PinnedVersion pin(long version, Supplier<DatabaseException> whyRetired) {
    pinned.incrementAndGet();
    return new PinnedVersion(db, rows, scans, gaps, version, whyRetired, pinned::decrementAndGet);
  }

  /**
   * Rows that were read lately. The committer reports the writes of a version to it before the
   * version is published.
   */
  public RowCache rows() {
    return rows;
  }

  /**
   * Rows that were scanned lately. The committer reports the writes of a version to it before the
   * version is published.
   */
  public ScanCache scans() {
    return scans;
  }

  /**
   * Ranges without values. The committer reports the writes of a version to it before the version
   * is published.
   */
  public Gaps gaps() {
    return gaps;
  }

  /** How many versions hold native resources. */
  public int pinnedVersions() {
    return pinned.get();
  }

  /** The latest value of {@code key}, or null. */
  public byte @Nullable [] get(byte[] key) {
    try {
      return db.get(key);
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Reading " + Key.of(key), failure);
    }
  }

  /** Writes a batch, on the disk when this returns unless the store goes without syncs. */
  public void write(byte[] batch) {
    try (WriteBatch nativeBatch = new WriteBatch(batch)) {
      db.write(write, nativeBatch);
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Writing a commit", true, failure);
    }
    if (room != null) {
      room.written(batch.length);
    }
    if (files != null) {
      files.written();
    }
  }

  /** The version stored last, or 0. */
  public long storedVersion() {
    byte[] stored = get(VERSION_KEY);
    return stored == null ? 0 : java.nio.ByteBuffer.wrap(stored).getLong();
  }

  /** Adds {@code version} to {@code batch} as the last one. */
  public static void storeVersion(BatchBuilder batch, long version) {
    batch.put(VERSION_KEY, java.nio.ByteBuffer.allocate(Long.BYTES).putLong(version).array());
  }

  /** The id of the store, which it gets here if it has none yet. */
  public UUID storeId() {
    byte[] stored = get(STORE_KEY);
    if (stored == null) {
      UUID id = UUID.randomUUID();
      stored = new byte[STORE_ID_BYTES];
      java.nio.ByteBuffer.wrap(stored)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits());
      BatchBuilder batch = new BatchBuilder(STORE_KEY.length + STORE_ID_BYTES + 3);
      batch.put(STORE_KEY, stored);
      write(batch.toByteArray());
    }
    java.nio.ByteBuffer id = java.nio.ByteBuffer.wrap(stored);
    return new UUID(id.getLong(), id.getLong());
  }

  public long estimatedSize(byte[] begin, byte[] end) {
    try (Slice from = new Slice(begin);
        Slice to = new Slice(end)) {
      return db.getApproximateSizes(
              List.of(new Range(from, to)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
    }
  }

  /** Reads every block of every file and compares checksums. */
  public void verifyChecksums() {
    try {
      db.verifyChecksum();
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Verifying checksums", failure);
    }
  }

  /** Makes {@code directory}, which must not exist, a consistent copy by hard links. */
  public void checkpoint(Path directory) {
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(directory.toString());
      if (files != null) {
        files.logsChanged();
      }
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Making a checkpoint in " + directory, failure);
    }
  }

  /** A number that RocksDB keeps, by its name. */
  public long property(String name) {
    try {
      return db.getLongProperty(name);
    } catch (RocksDBException failure) {
      throw StorageErrors.of("Reading the property " + name, failure);
    }
  }

  public long cacheUsage() {
    return cache.getUsage();
  }

  /** Closes everything; versions must have been released before. */
  @Override
  public void close() {
    if (pinned.get() > 0) {
      throw new StorageException(
          StorageException.Kind.IO_ERROR,
          "The database cannot be closed: %d versions are still being read".formatted(pinned.get()),
          null);
    }
    closeOwned();
    if (files != null) {
      files.closed();
    }
  }

  private <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  private void closeOwned() {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception failure) {
        throw new IllegalStateException("Native resources close without failure", failure);
      }
    }
  }
}
