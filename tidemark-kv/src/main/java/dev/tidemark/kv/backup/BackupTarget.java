package dev.tidemark.kv.backup;

import java.io.IOException;
import java.io.InputStream;

/** Where the files of a backup go. Called by one thread, in the order of the methods. */
public interface BackupTarget {
  /** Announces the backup: the number of its files and, roughly, of its bytes. */
  void begin(int files, long bytes) throws IOException;

  /**
   * Takes one file. The last one makes the backup whole: it may be written only when those before
   * it are safe.
   *
   * @param path where it belongs, relative to the backup, with {@code /} between names
   * @param bytes how long it is
   * @param content its bytes, to be read to the end before this returns
   */
  void file(String path, long bytes, InputStream content) throws IOException;
}
