package dev.tidemark.embedded;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;

/**
 * How an embedded database works.
 *
 * @param sync whether a commit is on the disk before it is acknowledged. Default true. Without it
 *     commits survive a crash of the process, but those of the last moments not one of the machine
 * @param cacheBytes memory for blocks of data, indexes and filters read from disk. Default 256 MiB;
 *     at least 1 MiB. Too little makes reads go to the disk
 * @param rowCacheBytes memory of the JVM for rows read lately, half of it for single ones and half
 *     for scans, beside {@code cacheBytes}, which is native memory. Default an eighth of the
 *     largest heap, at most 1 GiB; 0 for none. Reads of what is here cost a tenth. Every open
 *     database has its own: a process with several gives each a share
 * @param writeBufferBytes memory for recent writes before they are sorted into files. Default 32
 *     MiB; at least 1 MiB. More makes loading faster and opening after a crash slower
 * @param limits the store's limits. Default {@link Limits#DEFAULTS}; a program that raises them
 *     cannot move to FoundationDB as it is
 * @param time the clock. Default the machine's
 */
public record EmbeddedOptions(
    boolean sync,
    long cacheBytes,
    long rowCacheBytes,
    long writeBufferBytes,
    Limits limits,
    TimeSource time) {
  private static final long MIB = 1 << 20;

  /** What applies where nothing else is said. */
  public static final EmbeddedOptions DEFAULTS =
      new EmbeddedOptions(
          true,
          256 * MIB,
          Math.min(Runtime.getRuntime().maxMemory() / 8, 1024 * MIB),
          32 * MIB,
          Limits.DEFAULTS,
          TimeSource.system());

  /** Refuses values that make no sense. */
  public EmbeddedOptions {
    if (cacheBytes < MIB || writeBufferBytes < MIB) {
      throw UsageException.invalidOption(
          "cacheBytes is %,d and writeBufferBytes is %,d; each must be at least %,d"
              .formatted(cacheBytes, writeBufferBytes, MIB));
    }
    if (rowCacheBytes < 0) {
      throw UsageException.invalidOption(
          "rowCacheBytes is %,d; it must not be negative".formatted(rowCacheBytes));
    }
  }

  /** These options with or without a sync for every commit. */
  public EmbeddedOptions withSync(boolean on) {
    return new EmbeddedOptions(on, cacheBytes, rowCacheBytes, writeBufferBytes, limits, time);
  }

  /** These options with another size of the cache. */
  public EmbeddedOptions withCacheBytes(long bytes) {
    return new EmbeddedOptions(sync, bytes, rowCacheBytes, writeBufferBytes, limits, time);
  }

  /** These options with another size of the cache of rows. */
  public EmbeddedOptions withRowCacheBytes(long bytes) {
    return new EmbeddedOptions(sync, cacheBytes, bytes, writeBufferBytes, limits, time);
  }

  /** These options with another size of the write buffer. */
  public EmbeddedOptions withWriteBufferBytes(long bytes) {
    return new EmbeddedOptions(sync, cacheBytes, rowCacheBytes, bytes, limits, time);
  }

  /** These options with other limits. */
  public EmbeddedOptions withLimits(Limits other) {
    return new EmbeddedOptions(sync, cacheBytes, rowCacheBytes, writeBufferBytes, other, time);
  }

  /** These options with another clock. */
  public EmbeddedOptions withTime(TimeSource other) {
    return new EmbeddedOptions(sync, cacheBytes, rowCacheBytes, writeBufferBytes, limits, other);
  }
}
