package dev.tidemark.records;

import dev.tidemark.kv.UsageException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a store keeps records. The same store can be opened with other options later: every record
 * says itself how it was kept.
 */
public final class StoreOptions {
  /** What applies where nothing else is said. */
  public static final StoreOptions DEFAULTS =
      new StoreOptions(false, Encryption.NONE, 1 << 20, 200);

  private final boolean compression;
  private final Encryption encryption;
  private final int recordBytesMax;
  private final int inlineBuildMax;

  private StoreOptions(
      boolean compression, Encryption encryption, int recordBytesMax, int inlineBuildMax) {
    if (recordBytesMax < 1 || inlineBuildMax < 0) {
      throw UsageException.invalidOption(
          "recordBytesMax is %,d and inlineBuildMax is %,d; the first must be positive, the second not negative"
              .formatted(recordBytesMax, inlineBuildMax));
    }
    this.compression = compression;
    this.encryption = encryption;
    this.recordBytesMax = recordBytesMax;
    this.inlineBuildMax = inlineBuildMax;
  }

  /** Whether records are compressed when that makes them smaller. Default no. */
  public boolean compression() {
    return compression;
  }

  /** The keys that records are encrypted with. Default none. */
  public Encryption encryption() {
    return encryption;
  }

  /**
   * The largest record that can be saved, before compression. Default 1 MiB; a record beyond the
   * store's value limit is kept in pieces.
   */
  public int recordBytesMax() {
    return recordBytesMax;
  }

  /**
   * A new index is built when the store is opened if its type has at most so many records;
   * otherwise it stays disabled until an online indexer builds it. Default 200.
   */
  public int inlineBuildMax() {
    return inlineBuildMax;
  }

  /** These options with or without compression. */
  public StoreOptions withCompression(boolean on) {
    return new StoreOptions(on, encryption, recordBytesMax, inlineBuildMax);
  }

  /** These options with other keys. */
  public StoreOptions withEncryption(Encryption other) {
    return new StoreOptions(compression, other, recordBytesMax, inlineBuildMax);
  }

  /** These options with another limit of the size of a record. */
  public StoreOptions withRecordBytesMax(int bytes) {
    return new StoreOptions(compression, encryption, bytes, inlineBuildMax);
  }

  /** These options with another number of records up to which new indexes are built at once. */
  public StoreOptions withInlineBuildMax(int records) {
    return new StoreOptions(compression, encryption, recordBytesMax, records);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoreOptions that
        && compression == that.compression
        && Objects.equals(encryption, that.encryption)
        && recordBytesMax == that.recordBytesMax
        && inlineBuildMax == that.inlineBuildMax;
  }

  @Override
  public int hashCode() {
    return Objects.hash(compression, encryption, recordBytesMax, inlineBuildMax);
  }

  @Override
  public String toString() {
    return "StoreOptions["
        + "compression="
        + compression
        + ", encryption="
        + encryption
        + ", recordBytesMax="
        + recordBytesMax
        + ", inlineBuildMax="
        + inlineBuildMax
        + "]";
  }
}
