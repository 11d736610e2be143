package dev.tidemark.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that goes with the run. */
public final class Scratch implements AutoCloseable {
  private final Path root;
  private final Thread atExit = new Thread(this::delete, "bench-cleanup");

  public Scratch() throws IOException {
    root = Files.createTempDirectory("tidemark-bench");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  public Path path(String name) {
    return root.resolve(name);
  }

  /** A new directory. */
  public Path directory(String name) throws IOException {
    return Files.createDirectories(path(name));
  }

  /** Copies the files of the store in {@code from}, which nobody has open. */
  public Path copy(Path from, String name) throws IOException {
    Path to = directory(name);
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file));
      if (Files.isDirectory(file)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(file, copy);
      }
    }
    return to;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList();
    }
  }

  private void delete() {
    try {
      if (Files.exists(root)) {
        for (Path file : files(root).stream().sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("The temporary files cannot be removed", failure);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    delete();
  }
}
