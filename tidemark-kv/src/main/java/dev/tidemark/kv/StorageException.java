package dev.tidemark.kv;

import org.jspecify.annotations.Nullable;

/**
 * The medium below the store failed: a disk that is full, read-only or damaged, a directory in use
 * or of another version. {@link #kind} says which.
 */
public final class StorageException extends DatabaseException {
  private final Kind kind;
  private final boolean maybeCommitted;

  /** What went wrong with the medium. */
  public enum Kind {
    /** Reading or writing failed. */
    IO_ERROR(1510),
    /** No space is left. */
    DISK_FULL(1510),
    /** A checksum does not match, or files are missing. */
    DAMAGED(1511),
    /** Another process, or another database of this one, has the directory open. */
    IN_USE(1515),
    /** The files were written by another version of the store, or are none of ours. */
    WRONG_FORMAT(1514),
    /** The directory may not be written. */
    READ_ONLY(1510);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private StorageException(
      int code, Kind kind, String message, boolean maybeCommitted, @Nullable Throwable cause) {
    super(code, message, cause);
    this.kind = kind;
    this.maybeCommitted = maybeCommitted;
  }

  /** A failure of a medium; {@code maybeCommitted} if a commit was under way. */
  public StorageException(
      Kind kind, String message, boolean maybeCommitted, @Nullable Throwable cause) {
    this(kind.code, kind, message, maybeCommitted, cause);
  }

  /** A failure outside a commit. */
  public StorageException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, false, cause);
  }

  /** A failure that a store reports with a {@code code} of its own. */
  public static StorageException reported(
      int code, String message, boolean maybeCommitted, @Nullable Throwable cause) {
    return new StorageException(code, Kind.IO_ERROR, message, maybeCommitted, cause);
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  @Override
  public boolean maybeCommitted() {
    return maybeCommitted;
  }
}
