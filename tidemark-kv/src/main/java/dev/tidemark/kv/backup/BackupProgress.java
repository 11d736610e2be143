package dev.tidemark.kv.backup;

/**
 * How far a backup has come.
 *
 * @param files files that are complete
 * @param filesTotal files that there will be
 * @param bytes bytes that were copied
 * @param bytesTotal bytes that there will be, a few lines of the list of files aside
 */
public record BackupProgress(int files, int filesTotal, long bytes, long bytesTotal) {
  /** Whether every file is complete. */
  public boolean isWhole() {
    return files == filesTotal;
  }
}
