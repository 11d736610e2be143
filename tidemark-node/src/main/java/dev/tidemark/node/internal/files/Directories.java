package dev.tidemark.node.internal.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the commands do with whole directories. */
public final class Directories {
  private Directories() {}

  /** Removes {@code directory} with everything in it. */
  public static void remove(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
