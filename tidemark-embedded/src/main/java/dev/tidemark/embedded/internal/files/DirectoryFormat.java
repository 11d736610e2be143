package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The file {@code TIDEMARK} in a database's directory, which says what the directory is, in which
 * format, and what must be in its files. It is written before the data are made, with the word
 * {@code creating}, and again without it afterwards: so a directory whose data have been lost is
 * never taken for a new one.
 */
public final class DirectoryFormat {
  static final String FILE = "TIDEMARK";

  /** The directory with RocksDB's files. */
  public static final String DATA = "data";

  private static final String TITLE = "tidemark embedded database";
  private static final String FORMAT = "format 2";

  /** The format that had no notes and no checksum. */
  private static final String FORMAT_WITHOUT_NOTES = "format 1";

  private static final String CREATING = "creating";
  private static final String RESTORING = "restoring";
  private static final String END = "end ";
  private static final String FRESH = FILE + ".new";

  private DirectoryFormat() {}

  /**
   * What the file says.
   *
   * @param isNew whether the data are yet to be created
   * @param noted the notes; versions before did not keep any
   */
  record Content(boolean isNew, Noted noted) {}

  /**
   * Checks whether {@code directory}, which is created if absent, is a database or can become one.
   * The lock need not be held.
   */
  public static void look(Path directory) {
    try {
      Files.createDirectories(directory);
      if (!hasNothingButA(directory, Set.of(FRESH, DirectoryLock.FILE, FILE))
          && !Files.exists(directory.resolve(FILE))) {
        throw new StorageException(
            Kind.WRONG_FORMAT,
            directory
                + " is not empty and has no file "
                + FILE
                + ", so it is not a Tidemark database, or a damaged one. Choose an empty directory,"
                + " or restore a backup",
            null);
      }
    } catch (IOException failure) {
      throw StorageErrors.of("Preparing the database directory " + directory, failure);
    }
  }

  /** Reads the file in {@code directory}, or writes that a database is being created there. */
  static Content prepare(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (Files.exists(file)) {
      return parse(file, Files.readString(file, StandardCharsets.ISO_8859_1));
    }
    write(directory, List.of(CREATING));
    return new Content(true, Noted.NOTHING);
  }

  /** Notes that a backup is being copied to {@code directory}, which is empty. */
  static void restoring(Path directory) throws IOException {
    Files.createDirectories(directory);
    write(directory, List.of(RESTORING));
  }

  /** Notes that the data are there, and what is known of them. */
  static void note(Path directory, Noted noted) throws IOException {
    write(directory, noted.lines());
  }

  private static Content parse(Path file, String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    if (lines.size() < 3 && (TITLE + "\n" + FORMAT + "\n").startsWith(text)) {
      throw StorageErrors.damaged("The file %s is cut off".formatted(file));
    }
    if (lines.size() < 3 || !lines.getFirst().equals(TITLE)) {
      throw new StorageException(
          Kind.WRONG_FORMAT, "The file " + file + " is not one of a Tidemark database", null);
    }
    String format = lines.get(1);
    boolean hasNotes = format.equals(FORMAT);
    if (!hasNotes && !format.equals(FORMAT_WITHOUT_NOTES)) {
      throw new StorageException(
          Kind.WRONG_FORMAT,
          "The database in %s has %s; this version of Tidemark reads %s and %s. Use the version that"
                  .formatted(file.getParent(), format, FORMAT_WITHOUT_NOTES, FORMAT)
              + " wrote it, or a newer one",
          null);
    }
    if (hasNotes) {
      requireChecksum(file, text);
    }
    if (lines.get(2).equals(RESTORING)) {
      throw new StorageException(
          Kind.DAMAGED,
          "A backup was not restored to its end in %s. Empty the directory and restore it again"
              .formatted(file.getParent()),
          null);
    }
    boolean isNew = lines.get(2).equals(CREATING);
    return new Content(isNew, isNew || !hasNotes ? Noted.NOTHING : noted(file, lines));
  }

  private static void requireChecksum(Path file, String text) {
    int end = text.lastIndexOf("\n" + END) + 1;
    if (!text.equals(text.substring(0, end) + endOf(text.substring(0, end)))) {
      throw StorageErrors.damaged(
          "The file %s is cut off or changed: it does not end with its checksum".formatted(file));
    }
  }

  private static Noted noted(Path file, List<String> lines) {
    try {
      return Noted.parse(lines.subList(2, lines.size() - 2));
    } catch (IllegalArgumentException unreadable) {
      throw new StorageException(
          Kind.WRONG_FORMAT,
          "The file %s was written by another version of Tidemark: %s"
              .formatted(file, unreadable.getMessage()),
          unreadable);
    }
  }

  /** Whether nothing is in {@code directory}; a file that a crash left half written is nothing. */
  static boolean isEmpty(Path directory) throws IOException {
    return hasNothingButA(directory, Set.of(FRESH));
  }

  private static boolean hasNothingButA(Path directory, Set<String> names) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.allMatch(entry -> names.contains(entry.getFileName().toString()));
    }
  }

  private static void write(Path directory, List<String> lines) throws IOException {
    StringBuilder text = new StringBuilder(TITLE).append('\n').append(FORMAT).append('\n');
    lines.forEach(line -> text.append(line).append('\n'));
    replaceFile(directory, FILE, text + endOf(text.toString()));
  }

  private static String endOf(String text) {
    CRC32C checksum = new CRC32C();
    checksum.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return END + "%08x\n".formatted(checksum.getValue());
  }

  /** Writes a file whole or not at all, and durably. */
  static void replaceFile(Path directory, String name, String text) throws IOException {
    Path fresh = directory.resolve(name + ".new");
    // A stream: an interrupt closes a channel, and would leave the work half done.
    try (FileOutputStream out = new FileOutputStream(fresh.toFile())) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.getFD().sync();
    }
    Files.move(
        fresh,
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(directory);
  }

  /** Makes names in a directory durable, where the system can. */
  static void syncDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notSupported) {
      // Windows does not open directories; it makes names durable by itself.
    }
  }
}
