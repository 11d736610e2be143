package dev.tidemark.bench.measure;

import dev.tidemark.kv.spi.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that goes with the run. */
public final class Scratch implements AutoCloseable {
  private final TemporaryDirectory root;

  public Scratch() throws IOException {
    root = TemporaryDirectory.create("tidemark-bench");
  }

  public Path path(String name) {
    return root.path().resolve(name);
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

  @Override
  public void close() {
    root.close();
  }
}
