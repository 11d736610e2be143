package dev.tidemark.kv.backup;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import dev.tidemark.kv.UsageException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** A directory that becomes a backup. Each file is there whole and durably, or not at all. */
public final class BackupDirectory implements BackupTarget {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path directory;
  private final boolean existed;
  private final Consumer<BackupProgress> progress;
  private int filesTotal;
  private long bytesTotal;
  private int files;
  private long bytes;

  private BackupDirectory(Path directory, boolean existed, Consumer<BackupProgress> progress) {
    this.directory = directory;
    this.existed = existed;
    this.progress = progress;
  }

  /**
   * Makes {@code directory}, unless it is there.
   *
   * @throws UsageException if something is in it, or it is a file
   */
  public static BackupDirectory create(Path directory, Consumer<BackupProgress> progress) {
    try {
      boolean existed = Files.exists(directory);
      if (existed && (!Files.isDirectory(directory) || !isEmpty(directory))) {
        throw UsageException.invalidOperation(
            directory + " is not an empty directory; choose one that is, or a new name");
      }
      Files.createDirectories(directory);
      return new BackupDirectory(directory, existed, progress);
    } catch (IOException failure) {
      throw new StorageException(
          Kind.IO_ERROR,
          "The directory %s cannot be made: %s".formatted(directory, failure),
          failure);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  @Override
  public void begin(int filesToCome, long bytesToCome) {
    filesTotal = filesToCome;
    bytesTotal = bytesToCome;
    tell();
  }

  @Override
  public void file(String path, long length, InputStream content) throws IOException {
    Path file = directory.resolve(path).normalize();
    if (!file.startsWith(directory) || file.equals(directory)) {
      throw new IOException("The backup has a file \"%s\", which is outside of it".formatted(path));
    }
    Path folder = Files.createDirectories(file.resolveSibling("."));
    Path part = file.resolveSibling(file.getFileName() + ".part");
    long before = bytes;
    copy(content, part, this::copied);
    if (bytes - before != length) {
      throw new IOException(
          "The file %s has %,d bytes instead of %,d".formatted(path, bytes - before, length));
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
    files++;
    tell();
  }

  private void copied(long count) {
    bytes += count;
    tell();
  }

  private void tell() {
    progress.accept(new BackupProgress(files, filesTotal, bytes, bytesTotal));
  }

  /** Removes what was written. */
  public void discard() {
    try (Stream<Path> tree = Files.walk(directory)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        if (!existed || !path.equals(directory)) {
          Files.delete(path);
        }
      }
    } catch (IOException failure) {
      throw new StorageException(
          Kind.IO_ERROR,
          "What was written of a backup to %s cannot be removed: %s. It is not whole; remove it"
              .formatted(directory, failure),
          failure);
    }
  }

  /** Writes {@code content} to {@code file} durably, and tells {@code copied} of each piece. */
  public static void copy(InputStream content, Path file, LongConsumer copied) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    // A stream: an interrupt closes a channel, and would leave the work half done.
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        out.write(buffer, 0, read);
        copied.accept(read);
      }
      out.getFD().sync();
    }
  }

  /** Makes names in a directory durable, where the system can. */
  private static void sync(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notSupported) {
      // Windows does not open directories; it makes names durable by itself.
    }
  }
}
