package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.spi.FileTrees;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a closed and of a killed store are cut and deleted; nothing may be lost in silence. */
class LostFilesTest {
  private static final int ROWS = 60;
  private static final int CUTS = 5;

  @TempDir Path folder;

  /** All that anybody may have been told of. */
  private final List<String> rows = new ArrayList<>();

  private final List<String> silent = new ArrayList<>();
  private int reported;

  @Test
  void whateverIsMissingInAClosedStoreIsReportedOrHarmless() throws IOException {
    Path closed = folder.resolve("database");
    try (EmbeddedDatabase db = open(closed)) {
      commit(db, 0, ROWS);
    }
    sweep(closed, false);
    assertThat(silent).isEmpty();
    assertThat(reported).isGreaterThan(500);
  }

  @Test
  void whateverIsMissingInAKilledStoreButTheEndOfItsLogIsReportedOrHarmless() throws IOException {
    Path open = folder.resolve("database");
    Path killed = folder.resolve("killed");
    try (EmbeddedDatabase db = open(open)) {
      commit(db, 0, ROWS / 2);
    }
    try (EmbeddedDatabase db = open(open)) {
      commit(db, ROWS / 2, ROWS);
      copyOpen(open, killed);
    }
    sweep(killed, true);
    assertThat(silent).isEmpty();
    assertThat(reported).isGreaterThan(500);
  }

  @Test
  void aKilledStoreWhoseTablesAreNotMadeYetReportsWhatIsMissing() throws IOException {
    Path open = folder.resolve("database");
    Path killed = folder.resolve("killed");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(open)) {
      commit(db, 0, ROWS);
      copyOpen(open, killed);
    }
    sweep(killed, true);
    assertThat(silent).isEmpty();
  }

  @Test
  void aStoreThatIsRestoredFromABackupReportsWhatIsMissing() throws IOException {
    Path restored = folder.resolve("restored");
    try (EmbeddedDatabase db = open(folder.resolve("database"))) {
      commit(db, 0, ROWS);
      db.backup(folder.resolve("backup"));
    }
    EmbeddedDatabase.restore(folder.resolve("backup"), restored);
    sweep(restored, false);
    assertThat(silent).isEmpty();
  }

  @Test
  void aStoreOfTheFormatBeforeOpensAndIsOfThisFormatThen() throws IOException {
    Path directory = folder.resolve("database");
    Path mark = directory.resolve("TIDEMARK");
    try (EmbeddedDatabase db = open(directory)) {
      commit(db, 0, ROWS);
    }
    assertThat(Files.readString(mark))
        .matches(
            """
            tidemark embedded database
            format 2
            manifest \\d{6} \\d+
            log \\d{6} \\d+ synced
            end [0-9a-f]{8}
            """);
    Files.writeString(mark, "tidemark embedded database\nformat 1\n");
    try (EmbeddedDatabase db = open(directory)) {
      List<KeyValue> left = db.read(tx -> tx.scan(KeyRange.ALL).list());
      assertThat(left).hasSize(ROWS);
      assertThat(Files.readString(mark)).contains("\nformat 2\n");
    }
  }

  @Test
  void aChangedNoteIsReported() throws IOException {
    Path directory = folder.resolve("database");
    Path mark = directory.resolve("TIDEMARK");
    try (EmbeddedDatabase db = open(directory)) {
      commit(db, 0, 1);
    }
    Files.writeString(mark, Files.readString(mark).replace("synced", "syncet"));
    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("does not end with its checksum");
  }

  /** With a small buffer, so that there are tables, edits and several logs. */
  private static EmbeddedDatabase open(Path directory) {
    return EmbeddedDatabase.open(directory, o -> o.withWriteBufferBytes(1 << 20));
  }

  private void commit(EmbeddedDatabase db, int from, int to) {
    for (int i = from; i < to; i++) {
      String row = "%05d".formatted(i);
      // Does not compress, so that the buffer fills up now and then.
      byte[] value = new byte[60_000];
      new SplittableRandom(i).nextBytes(value);
      db.run(tx -> tx.set(Key.utf8(row), value));
      rows.add(row);
    }
  }

  private void sweep(Path directory, boolean killed) throws IOException {
    List<Path> files = files(directory);
    Path newestLog =
        files.stream().filter(f -> f.toString().endsWith(".log")).reduce((a, b) -> b).orElseThrow();
    for (Path file : files) {
      boolean maybeTorn = killed && file.equals(newestLog);
      attempt(directory, file, -1, false);
      for (long cut : cuts(file)) {
        attempt(directory, file, cut, maybeTorn && cut > 0);
      }
    }
  }

  /** Files that tell which others belong to the store are cut everywhere. */
  private static List<Long> cuts(Path file) throws IOException {
    long size = Files.size(file);
    boolean everywhere = file.getFileName().toString().matches("MANIFEST.*|CURRENT|TIDEMARK");
    TreeSet<Long> cuts = new TreeSet<>();
    for (long cut = 0; cut < size; cut += everywhere ? 1 : Math.max(1, size / CUTS)) {
      cuts.add(cut);
    }
    if (size > 0) {
      cuts.add(size - 1);
    }
    return List.copyOf(cuts);
  }

  /** Cuts {@code file} of a copy at {@code cut}, or deletes it if that is negative. */
  private void attempt(Path directory, Path file, long cut, boolean maybeTorn) throws IOException {
    Path copy = folder.resolve("copy");
    copy(directory, copy);
    Path target = copy.resolve(directory.relativize(file));
    if (cut < 0) {
      Files.delete(target);
    } else {
      try (FileOutputStream out = new FileOutputStream(target.toFile(), true)) {
        out.getChannel().truncate(cut);
      }
    }
    String what = "%s cut at %d".formatted(directory.relativize(file), cut);
    Map<String, Long> before = sizes(copy);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(copy)) {
      List<String> left =
          db.read(tx -> tx.scan(KeyRange.ALL).list()).stream().map(LostFilesTest::name).toList();
      boolean whole = left.equals(rows);
      boolean begin = maybeTorn && left.equals(rows.subList(0, left.size())) && !left.isEmpty();
      if (!whole && !begin) {
        silent.add("%s: %d of %d rows".formatted(what, left.size(), rows.size()));
      }
      db.verify();
    } catch (StorageException report) {
      reported++;
      if (!sizes(copy).equals(before)) {
        silent.add("%s: changed after %s".formatted(what, report.getMessage()));
      }
      if (report.kind() == StorageException.Kind.IO_ERROR) {
        silent.add("%s: unclear: %s".formatted(what, report.getMessage()));
      }
    }
    FileTrees.remove(copy);
  }

  private static String name(KeyValue row) {
    return new String(row.key().toByteArray(), UTF_8);
  }

  /** The files that matter, in the order of their names. */
  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      return tree.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Map<String, Long> sizes(Path directory) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (Path file : files(directory)) {
      String name = file.getFileName().toString();
      if (!name.startsWith("LOG") && !name.equals("LOCK")) {
        sizes.put(name, Files.size(file));
      }
    }
    return sizes;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.resolve("data"));
    for (Path file : files(from)) {
      Files.copy(file, to.resolve(from.relativize(file)));
    }
  }

  /** Copies an open store as a kill would leave it, once nothing moves in it any more. */
  private static void copyOpen(Path from, Path to) throws IOException {
    Map<String, Long> before;
    do {
      if (Files.exists(to)) {
        FileTrees.remove(to);
      }
      before = sizes(from);
      try {
        copy(from, to);
      } catch (NoSuchFileException gone) {
        before = Map.of();
      }
    } while (!sizes(from).equals(before) || !sizes(to).equals(before));
  }
}
