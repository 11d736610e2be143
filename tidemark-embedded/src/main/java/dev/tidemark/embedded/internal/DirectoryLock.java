package dev.tidemark.embedded.internal;

import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The right to use a database's directory, which one open database at a time has. */
final class DirectoryLock implements AutoCloseable {
  static final String FILE = "LOCK";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws StorageException of kind {@code IN_USE} if somebody has it
   */
  static DirectoryLock take(Path directory) {
    try {
      FileChannel channel =
          FileChannel.open(
              directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new StorageException(
            Kind.IN_USE,
            "The database in " + directory + " is not opened. " + StorageErrors.remedy(Kind.IN_USE),
            null);
      }
      return new DirectoryLock(channel);
    } catch (IOException failure) {
      throw StorageErrors.of("Locking " + directory, failure);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw StorageErrors.of("Unlocking the database's directory", failure);
    }
  }
}
