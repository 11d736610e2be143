package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Derives from a failure of RocksDB or of the file system what is wrong with the medium, and what
 * to do about it.
 */
public final class StorageErrors {
  /** What else can be done if the machine went down while nothing was synced. */
  static final String WITHOUT_SYNCS =
      ". If the machine went down while the database was used without syncs, open it so: what was"
          + " committed before that byte is kept, and the rest moved aside";

  private StorageErrors() {}

  /** What {@code cause} means to somebody who was {@code doing} something. */
  public static StorageException of(String doing, RocksDBException cause) {
    return of(doing, false, cause);
  }

  /** What {@code cause} means to somebody who was {@code doing} something. */
  public static StorageException of(String doing, boolean maybeCommitted, RocksDBException cause) {
    Kind kind = kind(cause);
    return new StorageException(
        kind,
        doing + " failed: " + cause.getMessage() + ". " + remedy(kind),
        maybeCommitted,
        cause);
  }

  /** What {@code cause} means to somebody who was {@code doing} something. */
  public static StorageException of(String doing, IOException cause) {
    Kind kind = kind(cause);
    return new StorageException(kind, doing + " failed: " + cause + ". " + remedy(kind), cause);
  }

  private static Kind kind(IOException cause) {
    String message = String.valueOf(cause.getMessage());
    if (message.contains("No space left")) {
      return Kind.DISK_FULL;
    }
    boolean refused =
        cause instanceof AccessDeniedException
            || cause instanceof FileAlreadyExistsException
            || message.contains("Read-only file system");
    return refused ? Kind.READ_ONLY : Kind.IO_ERROR;
  }

  private static Kind kind(RocksDBException cause) {
    String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    Status status = cause.getStatus();
    if (message.contains("no space left")
        || message.contains("file too large")
        || hasSubCode(status, Status.SubCode.NoSpace)) {
      return Kind.DISK_FULL;
    }
    if (message.contains("read-only file system") || message.contains("permission denied")) {
      return Kind.READ_ONLY;
    }
    if (message.contains("lock hold by current process")
        || (message.contains("/lock") && message.contains("temporarily unavailable"))) {
      return Kind.IN_USE;
    }
    boolean corrupt =
        (status != null && status.getCode() == Status.Code.Corruption)
            || message.startsWith("corruption")
            || message.contains("no such file or directory")
            || message.contains("does not exist (create_if_missing is false)");
    return corrupt ? Kind.DAMAGED : Kind.IO_ERROR;
  }

  private static boolean hasSubCode(@Nullable Status status, Status.SubCode subCode) {
    return status != null && status.getSubCode() == subCode;
  }

  /** Damage that was found before anything was changed. */
  static StorageException damaged(String what) {
    return damaged(what, "");
  }

  /** The same, with what can be done in a special case. */
  static StorageException damaged(String what, String more) {
    return new StorageException(Kind.DAMAGED, what + ". " + remedy(Kind.DAMAGED) + more, null);
  }

  /** What to do about a failure. */
  public static String remedy(Kind kind) {
    return switch (kind) {
      case DISK_FULL ->
          "The disk is full. Free more space than the write buffer takes. A database that is open"
              + " can be read meanwhile; its commits then work again within seconds, or after it"
              + " has been opened again";
      case READ_ONLY -> "It must be a directory that this process may write";
      case IN_USE ->
          "The directory is open already; a database can be opened once at a time. Share the"
              + " EmbeddedDatabase within a process, and use a server between processes";
      case DAMAGED ->
          "The files are damaged, and nothing was changed in them. Restore a backup, or copy the"
              + " directory before any attempt to repair it";
      case IO_ERROR, WRONG_FORMAT -> "Check the disk and the file system";
    };
  }
}
