package dev.tidemark.embedded.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedOptions;
import dev.tidemark.embedded.internal.storage.RocksTuning;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Cache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Tables whose filters and indexes are larger than what the cache can hold in one piece. */
class LargeFilesTest {
  private static final int ROWS = 1_500_000;
  private static final int GETS = 2_000;

  @TempDir Path folder;

  @Test
  void aReadLoadsAPieceOfAFilterAndNotAllOfIt() throws Exception {
    EmbeddedOptions settings = EmbeddedOptions.DEFAULTS.withCacheBytes(1 << 20);
    Deque<AutoCloseable> owned = new ArrayDeque<>();
    try (Cache cache = RocksTuning.cache(settings.cacheBytes());
        Statistics statistics = new Statistics();
        Options options =
            RocksTuning.options(settings, cache, owned)
                .setCreateIfMissing(true)
                .setTargetFileSizeBase(1 << 30)
                .setStatistics(statistics);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      load(db);
      db.compactRange();
      long before = statistics.getTickerCount(TickerType.BLOCK_CACHE_FILTER_BYTES_INSERT);
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < GETS; i++) {
        assertThat(db.get(key(random.nextInt(ROWS)))).isNotNull();
      }
      long loaded = statistics.getTickerCount(TickerType.BLOCK_CACHE_FILTER_BYTES_INSERT) - before;
      assertThat(loaded / GETS).isLessThan(16 << 10);
      assertThat(statistics.getTickerCount(TickerType.BLOOM_FILTER_FULL_POSITIVE)).isPositive();
    } finally {
      while (!owned.isEmpty()) {
        owned.pop().close();
      }
    }
  }

  private static void load(RocksDB db) throws Exception {
    try (WriteOptions write = new WriteOptions().setDisableWAL(true)) {
      for (int i = 0; i < ROWS; i += 10_000) {
        try (WriteBatch batch = new WriteBatch()) {
          for (int j = i; j < i + 10_000; j++) {
            batch.put(key(j), new byte[4]);
          }
          db.write(write, batch);
        }
      }
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(20).putInt(number).array();
  }
}
