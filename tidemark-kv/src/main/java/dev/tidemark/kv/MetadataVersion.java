package dev.tidemark.kv;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The version of what layers remember about a store: headers, schemas, places of directories.
 *
 * <p>A layer that caches such a thing reads the version with it, and reads the thing again when the
 * version has changed. Whoever changes the thing calls {@link #change} in the same transaction. The
 * new version is the versionstamp of that commit, so it cannot be read before; {@link #changedBy}
 * tells a layer that it has to do without its cache in this transaction.
 */
public final class MetadataVersion {
  /** The stamp goes to the beginning of the value; its place follows in the last four bytes. */
  private static final byte[] STAMP_AT_START = new byte[14];

  private static final AttachmentKey<Seen> SEEN =
      AttachmentKey.of("the metadata version", Seen::new);

  private MetadataVersion() {}

  /** What a transaction knows of the version. */
  private static final class Seen {
    volatile boolean changed;
    volatile @Nullable Key version;
  }

  /** Gives the store a new version when {@code tx} is committed. */
  public static void change(Transaction tx) {
    tx.attachment(SEEN).changed = true;
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, Key.METADATA_VERSION, STAMP_AT_START);
  }

  /** Whether {@code tx} has called {@link #change}, so that it cannot read the version. */
  public static boolean changedBy(ReadTransaction tx) {
    return tx.attachment(SEEN).changed;
  }

  /**
   * The version that {@code tx} sees, if there is one yet.
   *
   * @throws UnreadableKeyException if {@code tx} has changed it
   */
  public static Optional<byte[]> read(ReadTransaction tx) {
    return tx.get(Key.METADATA_VERSION);
  }

  /**
   * The version that {@code tx} sees, {@link Key#EMPTY} if there is none yet; null if {@code tx}
   * has {@linkplain #changedBy changed} it. It is read once in a transaction, and without a
   * conflict: whoever must not commit beside a change adds a conflict with what was changed.
   */
  public static @Nullable Key seenBy(ReadTransaction tx) {
    Seen seen = tx.attachment(SEEN);
    if (seen.changed) {
      return null;
    }
    Key version = seen.version;
    if (version == null) {
      version = read(tx.snapshot()).map(Key::wrap).orElse(Key.EMPTY);
      seen.version = version;
    }
    return version;
  }
}
