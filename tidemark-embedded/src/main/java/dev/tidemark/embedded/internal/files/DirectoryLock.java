package dev.tidemark.embedded.internal.files;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to use a database's directory, which one open database at a time has. Between processes
 * a file lock decides. Closing any channel to the file would end the locks of the whole process, so
 * within a process the directories in use are kept in a set and the file is not touched again.
 */
public final class DirectoryLock implements AutoCloseable {
  static final String FILE = "LOCK";

  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws StorageException of kind {@code IN_USE} if another process or thread holds it
   */
  public static DirectoryLock take(Path directory) {
    try {
      Path real = directory.toRealPath();
      if (!HERE.add(real)) {
        throw inUse(directory);
      }
      FileChannel locked = null;
      try {
        locked = lock(directory);
        return new DirectoryLock(real, locked);
      } finally {
        if (locked == null) {
          HERE.remove(real);
        }
      }
    } catch (IOException failure) {
      throw StorageErrors.of("Locking " + directory, failure);
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      channel.close();
      throw inUse(directory);
    }
    return channel;
  }

  private static StorageException inUse(Path directory) {
    return new StorageException(
        Kind.IN_USE,
        "The database in " + directory + " is not opened. " + StorageErrors.remedy(Kind.IN_USE),
        null);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw StorageErrors.of("Unlocking the database's directory", failure);
    } finally {
      HERE.remove(directory);
    }
  }
}
