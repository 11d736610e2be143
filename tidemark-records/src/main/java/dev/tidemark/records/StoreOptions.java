package dev.tidemark.records;

/**
 * How a store writes records. A store can be opened with other options later, because every record
 * states its own encoding.
 *
 * @param compression whether records are compressed when that makes them smaller. Default no
 * @param encryption the keys that records are encrypted with. Default none
 * @param recordBytesMax the largest record that can be saved, before compression. Default 1 MiB; a
 *     record beyond the store's value limit is kept in pieces
 * @param inlineBuildMax the number of records of a type up to which a new index is built when the
 *     store is opened; for more, it stays disabled until an online indexer builds it. Default 200
 */
public record StoreOptions(
    boolean compression, Encryption encryption, int recordBytesMax, int inlineBuildMax) {
  /** The default options. */
  public static final StoreOptions DEFAULTS =
      new StoreOptions(false, Encryption.NONE, 1 << 20, 200);

  /** Checks the values. */
  public StoreOptions {
    if (recordBytesMax < 1 || inlineBuildMax < 0) {
      throw new IllegalArgumentException(
          "recordBytesMax is %,d and inlineBuildMax is %,d; the first must be positive, the second not negative"
              .formatted(recordBytesMax, inlineBuildMax));
    }
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
}
