package dev.tidemark.chaos.run;

import dev.tidemark.kv.spi.FileTrees;
import dev.tidemark.kv.spi.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The temporary directory of a run, removed at its end unless something was found that somebody has
 * to look at.
 */
public final class Workspace implements AutoCloseable {
  private final TemporaryDirectory root;

  private Workspace(TemporaryDirectory root) {
    this.root = root;
  }

  static Workspace open() {
    try {
      Workspace workspace = new Workspace(TemporaryDirectory.create("tidemark-chaos"));
      Files.createDirectories(workspace.temporary());
      return workspace;
    } catch (IOException failure) {
      throw new UncheckedIOException("The temporary directory cannot be made", failure);
    }
  }

  /** A path in the workspace; nothing is made there. */
  public Path path(String name) {
    return root.path().resolve(name);
  }

  /** Where children put temporary files, which they cannot remove when they are killed. */
  Path temporary() {
    return path("temporary");
  }

  /** Keeps everything for inspection. */
  Path keep() {
    root.keep();
    return root.path();
  }

  /** Copies the files of a database that no process has open. */
  public static void copy(Path from, Path to) {
    try {
      Files.walkFileTree(
          from,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                throws IOException {
              Files.createDirectories(to.resolve(from.relativize(directory)));
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.copy(file, to.resolve(from.relativize(file)));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failure) {
      throw new UncheckedIOException("The database cannot be copied", failure);
    }
  }

  /** Removes a directory with everything in it, if it is there. */
  public static void delete(Path directory) {
    try {
      FileTrees.remove(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("A temporary directory cannot be removed", failure);
    }
  }

  @Override
  public void close() {
    root.close();
  }
}
