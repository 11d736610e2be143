package dev.tidemark.bench.demo;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The jars that some modules need at run time. A module of this build counts with the size of the
 * jar that its classes make.
 *
 * @param jars how many
 * @param bytes all of them together
 * @param lines each with its size
 */
record Footprint(int jars, long bytes, List<String> lines) {
  Footprint {
    lines = List.copyOf(lines);
  }

  /**
   * The footprint of {@code modules} below {@code root}.
   *
   * @throws IOException if they are not built by {@code ./tidemark}, which writes class paths
   */
  static Footprint of(Path root, String... modules) throws IOException {
    Set<Path> entries = new LinkedHashSet<>();
    for (String module : modules) {
      Path target = root.resolve(module).resolve("target");
      entries.add(target.resolve("classes"));
      for (String entry :
          Files.readString(target.resolve("classpath")).split(File.pathSeparator, -1)) {
        if (!entry.isBlank()) {
          entries.add(Path.of(entry.strip()));
        }
      }
    }
    long all = 0;
    List<String> lines = new ArrayList<>();
    for (Path entry : entries) {
      boolean own = Files.isDirectory(entry);
      long bytes = own ? packed(entry) : Files.size(entry);
      all += bytes;
      // The classes of a module are in its target/classes.
      Path name = own ? entry.getName(entry.getNameCount() - 3) : entry.getFileName();
      lines.add(String.format(Locale.ROOT, "  %8.2f MB  %s", bytes / 1e6, name));
    }
    return new Footprint(entries.size(), all, lines);
  }

  private static long packed(Path classes) throws IOException {
    Counter counter = new Counter();
    try (ZipOutputStream zip = new ZipOutputStream(counter);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, zip);
      }
    }
    return counter.bytes;
  }

  /** Counts what is written. */
  private static final class Counter extends OutputStream {
    private long bytes;

    @Override
    public void write(int one) {
      bytes++;
    }

    @Override
    public void write(byte[] some, int offset, int length) {
      bytes += length;
    }
  }
}
