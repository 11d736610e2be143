package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupDirectory;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.kv.spi.FileTrees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * Copies of a database's files. A backup is a directory with the files and, written last, a file
 * {@code BACKUP} that lists each with its size and checksum; without it a backup is not complete.
 */
public final class Backup {
  private static final String LIST = "BACKUP";
  private static final String TITLE = "tidemark backup 1";
  private static final String END = "end";

  private Backup() {}

  private record Entry(String name, long size, long checksum) {
    String line() {
      return "%d %08x %s".formatted(size, checksum, name);
    }

    static Entry parse(String line) {
      String[] parts = line.split(" ", 3);
      return new Entry(parts[2], Long.parseLong(parts[0]), Long.parseLong(parts[1], 16));
    }
  }

  /** Hands the files in {@code checkpoint} to {@code target}, and after them their list. */
  public static void create(Path checkpoint, BackupTarget target) {
    try {
      List<Path> files = files(checkpoint);
      target.begin(files.size() + 1, sizeOf(files));
      StringBuilder list = new StringBuilder(TITLE).append('\n');
      for (Path file : files) {
        list.append(hand(file, target).line()).append('\n');
      }
      byte[] text = list.append(END).append('\n').toString().getBytes(StandardCharsets.UTF_8);
      target.file(LIST, text.length, new ByteArrayInputStream(text));
    } catch (IOException failure) {
      throw StorageErrors.of("Writing the backup", failure);
    }
  }

  private static long sizeOf(List<Path> files) throws IOException {
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
    }
    return size;
  }

  private static Entry hand(Path file, BackupTarget target) throws IOException {
    String name = file.getFileName().toString();
    long size = Files.size(file);
    CRC32C checksum = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(file), checksum)) {
      target.file(DirectoryFormat.DATA + "/" + name, size, in);
    }
    return new Entry(name, size, checksum.getValue());
  }

  /** Checks the backup and makes {@code directory}, empty or absent before, a database from it. */
  public static void restore(Path backup, Path directory) {
    try {
      List<Entry> entries = read(backup);
      requireEmpty(directory);
      DirectoryFormat.restoring(directory);
      Path data = Files.createDirectories(directory.resolve(DirectoryFormat.DATA));
      for (Entry expected : entries) {
        Path file = backup.resolve(DirectoryFormat.DATA).resolve(expected.name());
        if (!Files.exists(file)) {
          throw damaged(backup, expected.name() + " is missing");
        }
        Entry copied = copy(file, data.resolve(expected.name()));
        if (!copied.equals(expected)) {
          throw damaged(backup, "%s should be «%s»".formatted(copied.line(), expected.line()));
        }
      }
      DirectoryFormat.syncDirectory(data);
      StoreFiles.restored(directory);
    } catch (IOException failure) {
      throw StorageErrors.of("Restoring " + backup + " to " + directory, failure);
    }
  }

  /** Removes a directory and the files in it. */
  public static void deleteTree(Path directory) {
    try {
      FileTrees.remove(directory);
    } catch (IOException failure) {
      throw StorageErrors.of("Removing " + directory, failure);
    }
  }

  /** Removes directories that a crash during a backup has left in {@code directory}. */
  public static void deleteLeftovers(Path directory, String prefix) {
    List<Path> leftovers;
    try (Stream<Path> entries = Files.list(directory)) {
      leftovers = entries.filter(path -> path.getFileName().toString().startsWith(prefix)).toList();
    } catch (IOException failure) {
      throw StorageErrors.of("Looking at " + directory, failure);
    }
    leftovers.forEach(Backup::deleteTree);
  }

  private static List<Entry> read(Path backup) throws IOException {
    Path list = backup.resolve(LIST);
    if (!Files.exists(list)) {
      throw damaged(backup, "it has no file " + LIST + ", so it was not completed");
    }
    List<String> lines = Files.readAllLines(list);
    if (lines.isEmpty() || !lines.getFirst().equals(TITLE)) {
      throw new StorageException(
          Kind.WRONG_FORMAT,
          "The file %s does not begin with «%s»: it is not a backup that this version reads"
              .formatted(list, TITLE),
          null);
    }
    if (!lines.getLast().equals(END)) {
      throw damaged(backup, "its file " + LIST + " does not end with «" + END + "»");
    }
    try {
      return lines.subList(1, lines.size() - 1).stream().map(Entry::parse).toList();
    } catch (IndexOutOfBoundsException | NumberFormatException unreadable) {
      throw damaged(backup, "its file " + LIST + " has a line that is not «size checksum name»");
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Entry copy(Path from, Path to) throws IOException {
    CRC32C checksum = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(from), checksum)) {
      BackupDirectory.copy(in, to, bytes -> {});
    }
    return new Entry(to.getFileName().toString(), Files.size(to), checksum.getValue());
  }

  private static void requireEmpty(Path directory) throws IOException {
    if (Files.exists(directory)
        && (!Files.isDirectory(directory) || !DirectoryFormat.isEmpty(directory))) {
      throw UsageException.invalidOperation(
          directory + " is not an empty directory; choose one that is, or a new name");
    }
  }

  private static StorageException damaged(Path backup, String why) {
    return new StorageException(
        Kind.DAMAGED, "The backup %s cannot be used: %s".formatted(backup, why), null);
  }
}
