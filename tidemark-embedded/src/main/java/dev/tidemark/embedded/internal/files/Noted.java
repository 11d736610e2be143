package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known to be in the files of a database: each is as long as this says or longer, or has
 * been replaced by a later one.
 *
 * @param manifest the number of the manifest
 * @param manifestBytes how many bytes of whole records it has at least
 * @param logs the logs in which a record has begun
 */
record Noted(long manifest, long manifestBytes, List<Log> logs) {
  /** The notes of a store that has none yet. */
  static final Noted NOTHING = new Noted(0, 0, List.of());

  private static final String MANIFEST = "manifest";
  private static final String LOG = "log";
  private static final String SYNCED = "synced";
  private static final String WRITTEN = "written";

  /**
   * A log.
   *
   * @param number its number
   * @param bytes how many bytes of whole records it has at least
   * @param synced whether they have been forced to the disk, so that nothing excuses their absence
   */
  record Log(long number, long bytes, boolean synced) {}

  /** The same of the manifest, and {@code other} logs. */
  Noted withLogs(List<Log> other) {
    return new Noted(manifest, manifestBytes, other);
  }

  /** The same of the logs, and the manifest in {@code data} as it is now, forced to the disk. */
  Noted withManifest(Path data) throws IOException {
    long number = Manifest.current(data);
    Path file = data.resolve(Manifest.name(number));
    long end;
    try (LogBlocks blocks = new LogBlocks(file)) {
      end = LogScan.wholeEnd(blocks, number == manifest ? manifestBytes : 0);
    }
    try (RandomAccessFile synced = new RandomAccessFile(file.toFile(), "rw")) {
      synced.getFD().sync();
    }
    return new Noted(number, end, logs);
  }

  /** The lines of a file that say this. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (manifest > 0) {
      lines.add("%s %06d %d".formatted(MANIFEST, manifest, manifestBytes));
    }
    for (Log log : logs) {
      String how = log.synced ? SYNCED : WRITTEN;
      lines.add("%s %06d %d %s".formatted(LOG, log.number, log.bytes, how));
    }
    return lines;
  }

  /**
   * What {@code lines} say.
   *
   * @throws IllegalArgumentException if one of them cannot be read
   */
  static Noted parse(List<String> lines) {
    long manifest = 0;
    long manifestBytes = 0;
    List<Log> logs = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words.length == 3 && words[0].equals(MANIFEST)) {
        manifest = Long.parseLong(words[1]);
        manifestBytes = Long.parseLong(words[2]);
      } else if (words.length == 4 && words[0].equals(LOG)) {
        boolean synced = words[3].equals(SYNCED);
        logs.add(new Log(Long.parseLong(words[1]), Long.parseLong(words[2]), synced));
      } else {
        throw new IllegalArgumentException("The line «" + line + "» is none that is known");
      }
    }
    return new Noted(manifest, manifestBytes, logs);
  }

  /** Requires that {@code found}, in {@code data}, is the noted manifest or a later one. */
  void requireManifest(Path data, Manifest found) {
    if (found.number() < manifest) {
      throw StorageErrors.damaged(
          "The directory %s uses %s, and has used %s before"
              .formatted(data, Manifest.name(found.number()), Manifest.name(manifest)));
    }
    if (found.number() == manifest && found.end() < manifestBytes) {
      throw StorageErrors.damaged(
          "The file %s has whole records up to byte %,d, and had them up to byte %,d"
              .formatted(data.resolve(Manifest.name(manifest)), found.end(), manifestBytes));
    }
  }

  /**
   * Requires that the noted logs from number {@code first} on are in {@code data}, as {@code check}
   * found them.
   *
   * @param synced whether every commit was on the disk before the next one
   * @throws StorageException of kind {@code DAMAGED} if one is missing or too short
   */
  void requireLogs(Path data, long first, LogCheck check, boolean synced) throws IOException {
    for (Log log : logs) {
      if (log.number < first) {
        continue;
      }
      Path file = LogCheck.log(data, log.number);
      if (!Files.isRegularFile(file)) {
        throw StorageErrors.damaged("The log %s is missing".formatted(file));
      }
      long end = check.ends().getOrDefault(log.number, 0L);
      if (end < log.bytes && (synced || log.synced)) {
        throw StorageErrors.damaged(
            "The log %s of %,d bytes has whole records up to byte %,d, and had them up to byte %,d or further"
                .formatted(file, Files.size(file), end, log.bytes),
            log.synced ? "" : StorageErrors.WITHOUT_SYNCS);
      }
    }
  }
}
