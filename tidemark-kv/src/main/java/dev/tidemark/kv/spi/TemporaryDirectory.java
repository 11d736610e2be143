package dev.tidemark.kv.spi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory that is removed with everything in it when this is closed, or when the JVM ends
 * before that in good order.
 */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;
  private final Thread atExit = new Thread(this::removeWhatCanBe, "temporary-directory");
  private volatile boolean kept;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  /** A new one where the system keeps temporary files, with a name that begins so. */
  public static TemporaryDirectory create(String prefix) throws IOException {
    TemporaryDirectory directory = new TemporaryDirectory(Files.createTempDirectory(prefix));
    Runtime.getRuntime().addShutdownHook(directory.atExit);
    return directory;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Has it stay, for somebody to look at. */
  public void keep() {
    kept = true;
  }

  /** What is open may still write: a file that comes after its directory was listed stays. */
  private void removeWhatCanBe() {
    try {
      remove();
    } catch (IOException stays) {
      // The process ends, and nobody could do anything about it.
    }
  }

  private void remove() throws IOException {
    if (!kept) {
      FileTrees.remove(path);
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      return; // The hook removes it.
    }
    try {
      remove();
    } catch (IOException failure) {
      throw new UncheckedIOException("The directory %s stays".formatted(path), failure);
    }
  }
}
