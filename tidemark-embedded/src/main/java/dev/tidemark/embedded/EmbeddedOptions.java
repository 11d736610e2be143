package dev.tidemark.embedded;

import dev.tidemark.kv.Limits;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How an embedded database works. */
public final class EmbeddedOptions {
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

  private final boolean sync;
  private final long cacheBytes;
  private final long rowCacheBytes;
  private final long writeBufferBytes;
  private final Limits limits;
  private final TimeSource time;

  private EmbeddedOptions(
      boolean sync,
      long cacheBytes,
      long rowCacheBytes,
      long writeBufferBytes,
      Limits limits,
      TimeSource time) {
    if (cacheBytes < MIB || writeBufferBytes < MIB) {
      throw UsageException.invalidOption(
          "cacheBytes is %,d and writeBufferBytes is %,d; each must be at least %,d"
              .formatted(cacheBytes, writeBufferBytes, MIB));
    }
    if (rowCacheBytes < 0) {
      throw UsageException.invalidOption(
          "rowCacheBytes is %,d; it must not be negative".formatted(rowCacheBytes));
    }
    this.sync = sync;
    this.cacheBytes = cacheBytes;
    this.rowCacheBytes = rowCacheBytes;
    this.writeBufferBytes = writeBufferBytes;
    this.limits = limits;
    this.time = time;
  }

  /**
   * Whether a commit is on the disk before it is acknowledged. Default true. If it is off, all
   * commits survive a crash of the process, but the last ones may not survive a crash of the
   * machine.
   */
  public boolean sync() {
    return sync;
  }

  /**
   * Memory for blocks of data, indexes and filters read from disk. Default 256 MiB; at least 1 MiB.
   * Too little makes reads go to the disk.
   */
  public long cacheBytes() {
    return cacheBytes;
  }

  /**
   * JVM memory for rows that were read lately, half of it for single rows and half for scans,
   * beside {@code cacheBytes}, which is native memory. Default an eighth of the largest heap, at
   * most 1 GiB; 0 for none. A read from it costs a tenth of a read from RocksDB. Every open
   * database has its own: a process with several gives each a share.
   */
  public long rowCacheBytes() {
    return rowCacheBytes;
  }

  /**
   * Memory for recent writes before they are sorted into files. Default 32 MiB; at least 1 MiB.
   * More makes loading faster and opening after a crash slower.
   */
  public long writeBufferBytes() {
    return writeBufferBytes;
  }

  /**
   * The store's limits. Default {@link Limits#DEFAULTS}; a program that raises them cannot move to
   * FoundationDB as it is.
   */
  public Limits limits() {
    return limits;
  }

  /** The clock. Default the machine's. */
  public TimeSource time() {
    return time;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EmbeddedOptions that
        && sync == that.sync
        && cacheBytes == that.cacheBytes
        && rowCacheBytes == that.rowCacheBytes
        && writeBufferBytes == that.writeBufferBytes
        && Objects.equals(limits, that.limits)
        && Objects.equals(time, that.time);
  }

  @Override
  public int hashCode() {
    return Objects.hash(sync, cacheBytes, rowCacheBytes, writeBufferBytes, limits, time);
  }

  @Override
  public String toString() {
    return "EmbeddedOptions["
        + "sync="
        + sync
        + ", cacheBytes="
        + cacheBytes
        + ", rowCacheBytes="
        + rowCacheBytes
        + ", writeBufferBytes="
        + writeBufferBytes
        + ", limits="
        + limits
        + ", time="
        + time
        + "]";
  }
}
