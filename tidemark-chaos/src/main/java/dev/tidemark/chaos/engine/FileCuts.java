package dev.tidemark.chaos.engine;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Copies of a database of which one file is deleted or ends too early. */
final class FileCuts {
  /** The place of a cut that deletes the file. */
  static final long DELETED = -1;

  /** Files up to this size are cut at every byte, unless the sweep is brief. */
  private static final int SMALL = 4_096;

  private static final int CUTS_OF_LARGE_FILES = 16;
  private static final int CUTS_OF_A_BRIEF_SWEEP = 3;

  private FileCuts() {}

  /** The files below {@code directory} in the order of their numbers. */
  static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      return tree.filter(Files::isRegularFile)
          .sorted(Comparator.comparing(Path::getFileName))
          .toList();
    }
  }

  /** Where to cut {@code file}. */
  static Iterable<Long> of(Path file, boolean brief, SplittableRandom random) throws IOException {
    long size = Files.size(file);
    TreeSet<Long> cuts = new TreeSet<>(List.of(DELETED));
    if (size == 0) {
      return cuts;
    }
    cuts.add(0L);
    cuts.add(size - 1);
    boolean needed = file.getFileName().toString().matches("MANIFEST.*|CURRENT|TIDEMARK");
    if (needed && !brief && size <= SMALL) {
      for (long at = 0; at < size; at++) {
        cuts.add(at);
      }
    }
    int times = brief ? CUTS_OF_A_BRIEF_SWEEP : CUTS_OF_LARGE_FILES;
    for (int i = 0; i < (needed ? 4 * times : times); i++) {
      cuts.add(random.nextLong(size));
    }
    return cuts;
  }

  /** Makes {@code to} a copy of {@code from} in which {@code file} ends at {@code cut}. */
  static void copy(Path from, Path to, Path file, long cut) throws IOException {
    for (Path each : files(from)) {
      Path target = to.resolve(from.relativize(each));
      Files.createDirectories(target.getParent());
      boolean same = each.equals(file);
      if (!same && target.toString().endsWith(".sst")) {
        Files.createLink(target, each); // Nobody writes to a table again.
      } else if (!same || cut >= 0) {
        Files.copy(each, target);
      }
      if (same && cut >= 0) {
        try (FileOutputStream out = new FileOutputStream(target.toFile(), true)) {
          out.getChannel().truncate(cut);
        }
      }
    }
  }

  /** The sizes of the files below {@code directory} but for those without data. */
  static Map<String, Long> sizes(Path directory) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (Path file : files(directory)) {
      String name = file.getFileName().toString();
      if (!name.startsWith("LOG") && !name.equals("LOCK")) {
        sizes.put(name, Files.size(file));
      }
    }
    return sizes;
  }
}
