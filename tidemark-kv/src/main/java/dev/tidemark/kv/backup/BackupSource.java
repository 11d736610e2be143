package dev.tidemark.kv.backup;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.UsageException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A database whose files can be copied as they are at one moment, while it is in use. */
public interface BackupSource {
  /**
   * Hands the files of the database as it is now to {@code target}. Reads and commits go on
   * meanwhile.
   *
   * @throws UsageException if the database has no files
   * @throws StorageException if the files cannot be read, or the target cannot take them
   */
  void backup(BackupTarget target);

  /**
   * Copies the database as it is now to {@code directory}, which must be empty or absent. Reads and
   * commits go on meanwhile. If it fails, nothing is left in the directory; after a crash it is
   * refused by a restore.
   */
  default void backup(Path directory) {
    backup(directory, progress -> {});
  }

  /** {@link #backup(Path)}, which tells {@code progress} how far it is about every megabyte. */
  default void backup(Path directory, Consumer<BackupProgress> progress) {
    BackupDirectory target = BackupDirectory.create(directory.toAbsolutePath(), progress);
    boolean whole = false;
    try {
      backup(target);
      whole = true;
    } finally {
      if (!whole) {
        target.discard();
      }
    }
  }
}
