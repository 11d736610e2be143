package dev.tidemark.embedded.internal.storage;

import dev.tidemark.embedded.EmbeddedOptions;
import java.util.Deque;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;

/** How RocksDB is set up for a store: its cache of blocks and its options. */
public final class RocksTuning {
  private static final int RANGE_TOMBSTONES_MAX = 500;

  /**
   * A shard of the cache has to hold many blocks, and filters of files that earlier builds made.
   */
  private static final long SHARD_BYTES = 16 << 20;

  private static final int SHARD_BITS_MAX = 6;

  private RocksTuning() {}

  /** A cache of blocks; filters and indexes may take up to half of it before rows do. */
  public static Cache cache(long bytes) {
    RocksLibrary.load();
    int shards = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, bytes / SHARD_BYTES));
    return new LRUCache(bytes, Math.min(shards, SHARD_BITS_MAX), false, 0.5);
  }

  /** RocksDB's options for a store; what they need natively is pushed on {@code owned}. */
  public static Options options(EmbeddedOptions settings, Cache cache, Deque<AutoCloseable> owned) {
    RocksLibrary.load();
    BloomFilter filter = new BloomFilter(10, false);
    owned.push(filter);
    TablePropertiesCollectorFactory compactDeletions =
        TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(1_000, 500, 0.5);
    owned.push(compactDeletions);
    Options options =
        new Options()
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setBlockSize(16 * 1024)
                    .setFilterPolicy(filter)
                    .setCacheIndexAndFilterBlocks(true)
                    .setCacheIndexAndFilterBlocksWithHighPriority(true)
                    .setPinL0FilterAndIndexBlocksInCache(true)
                    // In pieces of a few KiB: a whole filter of a large file does not fit a shard
                    // of
                    // the cache, and would be read anew for every key.
                    .setIndexType(IndexType.kTwoLevelIndexSearch)
                    .setPartitionFilters(true)
                    .setPinTopLevelIndexAndFilter(true)
                    // Finds a single key in a block without a binary search.
                    .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                    .setDataBlockHashTableUtilRatio(0.75)
                    .setFormatVersion(5))
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setLevelCompactionDynamicLevelBytes(true)
            .setWriteBufferSize(settings.writeBufferBytes())
            .setMaxWriteBufferNumber(3)
            .setMemtableWholeKeyFiltering(true)
            .setMemtablePrefixBloomSizeRatio(0.1)
            .setMemtableMaxRangeDeletions(RANGE_TOMBSTONES_MAX)
            .setMaxBackgroundJobs(Math.max(2, Runtime.getRuntime().availableProcessors()))
            .setBytesPerSync(1 << 20)
            // The thread that releases a version last may be one that must not wait for the disk.
            .setAvoidUnnecessaryBlockingIO(true)
            .setParanoidChecks(true)
            // A record that a crash cut off at the very end was never acknowledged and is dropped;
            // damage anywhere else refuses to open.
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            // Logs that are used again would end with old records, not with zeros.
            .setRecycleLogFileNum(0)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setKeepLogFileNum(4);
    options.setTablePropertiesCollectorFactory(List.of(compactDeletions));
    return options;
  }
}
