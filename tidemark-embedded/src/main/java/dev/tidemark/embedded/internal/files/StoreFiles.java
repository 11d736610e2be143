package dev.tidemark.embedded.internal.files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/*
 * How the loss of a file is detected
 *
 * RocksDB goes on from whatever its manifest and its logs still contain, and removes files that
 * they do not name. So the files are compared before RocksDB opens them: the tables with the
 * manifest, which has their sizes, and the logs with each other, because their records are
 * numbered.
 *
 * Only the newest log itself says what is in it, and an empty one is common. A manifest does not
 * say that it had another edit. So the file TIDEMARK notes the length of the manifest and the logs
 * that have begun, before the first commit in each log is acknowledged: one more small file to
 * sync for each full write buffer. A log is removed only after an edit, so either it is noted, or
 * the edit is within the noted length of the manifest. A manifest that lost a later edit names a
 * noted log or a table that is gone; if it names neither, nothing is lost by going on from it.
 *
 * A clean close notes the lengths of the logs. After a kill, a missing end of the newest log looks
 * like the end that a crash leaves; any other loss is reported, before anything is changed.
 */

/** The files of one database on disk, and the notes about them. Not thread-safe. */
public final class StoreFiles {
  private final Path directory;
  private final Path data;
  private final boolean synced;
  private final boolean isNew;
  private Noted noted;

  /** Whether there may be a log with a record and without a note; set by any thread. */
  private volatile boolean logsChanged;

  private StoreFiles(Path directory, boolean synced, boolean isNew, Noted noted) {
    this.directory = directory;
    this.data = directory.resolve(DirectoryFormat.DATA);
    this.synced = synced;
    this.isNew = isNew;
    this.noted = noted;
  }

  /**
   * Checks the files in {@code directory}, whose lock the caller has, and moves aside what a crash
   * has left at the end of a log.
   *
   * @param synced whether every commit was on the disk before the next one
   * @throws dev.tidemark.kv.StorageException of kind {@code DAMAGED} if something is missing; then
   *     nothing has been changed
   */
  public static StoreFiles prepare(Path directory, boolean synced) {
    try {
      DirectoryFormat.Content content = DirectoryFormat.prepare(directory);
      StoreFiles files = new StoreFiles(directory, synced, content.isNew(), content.noted());
      if (!content.isNew()) {
        files.check();
      }
      return files;
    } catch (IOException failure) {
      throw StorageErrors.of("Looking at the files in " + directory, failure);
    }
  }

  /** RocksDB's directory. */
  public Path data() {
    return data;
  }

  /** Whether the data are yet to be created. */
  public boolean isNew() {
    return isNew;
  }

  private void check() throws IOException {
    Manifest manifest = Manifest.read(data);
    noted.requireManifest(data, manifest);
    manifest.requireTables(data);
    LogCheck logs = LogCheck.of(data, manifest, synced);
    noted.requireLogs(data, manifest.firstLog(), logs, synced);
    if (logs.hasMoves()) {
      // The notes first: what is moved aside must not count as missing if the move is interrupted.
      List<Noted.Log> left = new ArrayList<>();
      for (Noted.Log log : noted.logs()) {
        long end = logs.ends().getOrDefault(log.number(), 0L);
        if (end > 0) {
          left.add(new Noted.Log(log.number(), Math.min(end, log.bytes()), log.synced()));
        }
      }
      note(noted.withLogs(left));
      logs.moveAside();
    }
  }

  /** Notes that RocksDB has opened the files. */
  public void opened() {
    try {
      note(noted.withManifest(data).withLogs(List.of()));
      logsChanged = true;
    } catch (IOException failure) {
      throw StorageErrors.of("Noting what is in " + directory, failure);
    }
  }

  /** Makes the next write check for a new log. May be called by any thread. */
  public void logsChanged() {
    logsChanged = true;
  }

  /** Notes new logs after a write and before its commits are acknowledged. */
  public void written() {
    if (logsChanged) {
      logsChanged = false;
      try {
        logsChanged = !noteLogs();
      } catch (IOException failure) {
        // The commit is on the disk all the same, and the next one tries again.
        logsChanged = true;
      }
    }
  }

  /** Notes the logs that have begun; false if the newest one has not. */
  private boolean noteLogs() throws IOException {
    List<Noted.Log> begun = new ArrayList<>();
    boolean last = false;
    for (Path log : LogCheck.logs(data)) {
      last = LogCheck.hasBegun(log);
      if (last) {
        begun.add(new Noted.Log(LogCheck.number(log), 1, synced));
      }
    }
    if (!begun.equals(noted.logs())) {
      DirectoryFormat.syncDirectory(data);
      // After the logs: a log that has gone was dropped by an edit that is in the manifest by now.
      note(noted.withLogs(begun).withManifest(data));
    }
    return last;
  }

  /**
   * Notes everything after RocksDB has closed the files. What cannot be noted is left as it was.
   */
  public void closed() {
    try {
      note(all(data));
    } catch (IOException failure) {
      // What was noted before still holds.
    }
  }

  /** Notes everything that is in {@code directory}, to which a backup has been copied. */
  static void restored(Path directory) throws IOException {
    Path data = directory.resolve(DirectoryFormat.DATA);
    DirectoryFormat.note(directory, all(data));
  }

  private static Noted all(Path data) throws IOException {
    Manifest manifest = Manifest.read(data);
    List<Noted.Log> logs = new ArrayList<>();
    for (Path log : LogCheck.logs(data)) {
      if (LogCheck.number(log) >= manifest.firstLog()) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
          file.getFD().sync();
        }
        try (LogBlocks blocks = new LogBlocks(log)) {
          long end = LogScan.wholeEnd(blocks, 0);
          logs.add(new Noted.Log(LogCheck.number(log), end, true));
        }
      }
    }
    return new Noted(manifest.number(), manifest.end(), logs);
  }

  private void note(Noted now) throws IOException {
    DirectoryFormat.note(directory, now);
    noted = now;
  }
}
