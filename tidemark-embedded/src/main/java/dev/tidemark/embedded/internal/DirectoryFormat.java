package dev.tidemark.embedded.internal;

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
import java.util.stream.Stream;

/**
 * The file {@code TIDEMARK} in a database's directory, which says what the directory is and in
 * which format. It is written before the data are made, with the word {@code creating}, and again
 * without it afterwards: so a directory whose data have been lost is never taken for a new one.
 */
final class DirectoryFormat {
  static final String FILE = "TIDEMARK";
  static final String DATA = "data";

  private static final String TITLE = "tidemark embedded database";
  private static final String FORMAT = "format 1";
  private static final String CREATING = "creating";
  private static final String RESTORING = "restoring";
  private static final String FRESH = FILE + ".new";

  private DirectoryFormat() {}

  /**
   * Looks at {@code directory}, which is made if it is not there.
   *
   * @return whether its data are yet to be created
   */
  static boolean prepare(Path directory) {
    try {
      Files.createDirectories(directory);
      Path file = directory.resolve(FILE);
      if (Files.exists(file)) {
        return check(directory, Files.readString(file));
      }
      if (!isEmpty(directory)) {
        throw new StorageException(
            Kind.WRONG_FORMAT,
            directory
                + " is not empty and has no file "
                + FILE
                + ", so it is not a Tidemark database. Choose an empty directory",
            null);
      }
      write(directory, CREATING);
      return true;
    } catch (IOException failure) {
      throw StorageErrors.of("Preparing the database directory " + directory, failure);
    }
  }

  /** Notes that a backup is being copied to {@code directory}, which is empty. */
  static void restoring(Path directory) throws IOException {
    Files.createDirectories(directory);
    write(directory, RESTORING);
  }

  /** Notes that the data are there. */
  static void created(Path directory) {
    try {
      write(directory, "");
    } catch (IOException failure) {
      throw StorageErrors.of("Writing " + directory.resolve(FILE), failure);
    }
  }

  private static boolean check(Path directory, String text) {
    String[] lines = text.split("\n", -1);
    if (lines.length < 3 || !lines[0].equals(TITLE)) {
      throw new StorageException(
          Kind.WRONG_FORMAT,
          "The file " + directory.resolve(FILE) + " is not one of a Tidemark database",
          null);
    }
    if (!lines[1].equals(FORMAT)) {
      throw new StorageException(
          Kind.WRONG_FORMAT,
          "The database in %s has %s; this version of Tidemark reads %s. Use the version that wrote"
                  .formatted(directory, lines[1], FORMAT)
              + " it, or a newer one",
          null);
    }
    if (lines[2].equals(RESTORING)) {
      throw new StorageException(
          Kind.DAMAGED,
          "A backup was not restored to its end in %s. Empty the directory and restore it again"
              .formatted(directory),
          null);
    }
    return lines[2].equals(CREATING);
  }

  /** Whether nothing is in {@code directory}; a file that a crash left half written is nothing. */
  static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.allMatch(entry -> entry.endsWith(FRESH));
    }
  }

  private static void write(Path directory, String stage) throws IOException {
    String text = TITLE + "\n" + FORMAT + "\n" + (stage.isEmpty() ? "" : stage + "\n");
    replaceFile(directory, FILE, text);
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
