package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamageTest {
  private static final int KEYS = 20_000;
  private static final Logger LOGGER = Logger.getLogger("dev.tidemark.embedded");

  @TempDir Path folder;

  private final List<LogRecord> told = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          told.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    LOGGER.removeHandler(handler);
  }

  /** Requires that one thing was told at {@code level}, with {@code parts} in it. */
  private void assertTold(Level level, String... parts) {
    assertThat(told)
        .filteredOn(entry -> entry.getLevel().equals(level))
        .singleElement()
        .satisfies(entry -> assertThat(new SimpleFormatter().formatMessage(entry)).contains(parts));
  }

  @Test
  void aFlippedByteInASortedFileIsFoundByVerifyAndByReads() throws IOException {
    Path directory = closedStoreWithTables();
    List<Path> tables = files(directory, ".sst");
    assertThat(tables).isNotEmpty();
    for (Path table : tables) {
      flip(table, Files.size(table) / 3);
    }
    StorageException found =
        catchThrowableOfType(
            StorageException.class,
            () -> {
              try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
                assertThatThrownBy(db::verify).isInstanceOf(StorageException.class);
                db.read(tx -> tx.scan(KeyRange.ALL).list());
              }
            });
    assertThat(found.kind()).isEqualTo(StorageException.Kind.DAMAGED);
  }

  @Test
  void aFlippedByteInsideTheLogRefusesToOpen() throws IOException {
    Path directory = fill(64 << 20);
    Path log = newest(files(directory, ".log"));
    flip(log, Files.size(log) / 2);
    assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED));
  }

  @Test
  void aLogCutOffInItsLastRecordOpensWithoutThatRecord() throws IOException {
    Path directory = fill(64 << 20);
    Path log = newest(files(directory, ".log"));
    byte[] bytes = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(bytes, bytes.length - 100));
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      int rows = db.read(tx -> tx.scan(KeyRange.ALL).list().size());
      assertThat(rows).isEqualTo(KEYS - 1_000);
      db.run(tx -> tx.set(Key.utf8("after"), new byte[1]));
    }
    assertTold(Level.INFO, "The log " + log + " ended within a commit");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void garbageBehindTheLastRecordIsMovedAside(long seed) throws IOException {
    Path directory = fill(64 << 20);
    Path log = newest(files(directory, ".log"));
    byte[] bytes = Files.readAllBytes(log);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] garbage = new byte[random.nextInt(8, 3_000)];
    random.nextBytes(garbage);
    byte[] torn = Arrays.copyOf(bytes, bytes.length + garbage.length);
    System.arraycopy(garbage, 0, torn, bytes.length, garbage.length);
    Files.write(log, torn);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      int rows = db.read(tx -> tx.scan(KeyRange.ALL).list().size());
      assertThat(rows).isEqualTo(KEYS);
      db.run(tx -> tx.set(Key.utf8("after"), new byte[1]));
    }
  }

  @Test
  void aCutFragmentOfATypeThatIsNeverWrittenDoesNotHoldUpTheOpening() throws IOException {
    Path directory = fill(64 << 20);
    Path log = newest(files(directory, ".log"));
    byte[] bytes = Files.readAllBytes(log);
    byte[] torn = Arrays.copyOf(bytes, bytes.length + 500);
    byte[] header = {1, 2, 3, 4, (byte) 0xe8, 3, 8};
    System.arraycopy(header, 0, torn, bytes.length, header.length);
    Files.write(log, torn);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      int rows = db.read(tx -> tx.scan(KeyRange.ALL).list().size());
      assertThat(rows).isEqualTo(KEYS);
    }
  }

  @Test
  void aFlippedLengthInsideTheLogRefusesToOpen() throws IOException {
    Path directory = fill(64 << 20);
    Path log = newest(files(directory, ".log"));
    flip(log, 32_768 * 3 + 5);
    byte[] damaged = Files.readAllBytes(log);
    assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("damaged at byte 98,304");
    assertThat(Files.readAllBytes(log)).isEqualTo(damaged);
    assertThat(told).isEmpty();
  }

  @Test
  void aFlippedLengthInALogOfOneBlockRefusesToOpen() throws IOException {
    Path directory = folder.resolve("db");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      setRows(db, 0, 20);
    }
    Path log = newest(files(directory, ".log"));
    flip(log, 5);
    byte[] damaged = Files.readAllBytes(log);
    assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("damaged at byte 0");
    assertThat(Files.readAllBytes(log)).isEqualTo(damaged);
  }

  @Test
  void aCutEndOfALogWithALaterOneRefusesToOpen() throws IOException {
    Path directory = twoLogs(-5);
    assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED))
        .hasMessageContaining("good records follow at byte 0 of 999999.log");
    assertThat(files(directory, ".log")).hasSize(2);
  }

  @Test
  void withoutSyncsWhatWasCommittedBeforeACutEndOfALogIsKept() throws IOException {
    Path directory = twoLogs(-5);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory, o -> o.withSync(false))) {
      assertThat(rows(db)).isEqualTo(9);
      setRows(db, 9, 12);
    }
    Path aside = files(directory, "999999.log.torn-0").getFirst();
    assertTold(Level.WARNING, "Commits in ", "are not used", aside.toString());
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      assertThat(rows(db)).isEqualTo(12);
    }
  }

  @Test
  void aRecordThatWasCutOffAndWrittenAgainToTheNextLogIsMovedAside() throws IOException {
    Path directory = twoLogs(20);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      assertThat(rows(db)).isEqualTo(20);
    }
  }

  @Test
  void aLastRecordOfWhichABlockIsMissingIsMovedAside() throws IOException {
    Path directory = folder.resolve("db");
    Path open = folder.resolve("open");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(open)) {
      setRows(db, 0, 1);
      db.run(
          tx -> {
            tx.set(Key.utf8("one"), new byte[90_000]);
            tx.set(Key.utf8("two"), new byte[90_000]);
          });
      copy(open, directory);
    }
    Path log = newest(files(directory, ".log"));
    byte[] bytes = Files.readAllBytes(log);
    Arrays.fill(bytes, 2 * 32_768, 3 * 32_768, (byte) 0);
    Files.write(log, bytes);
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      assertThat(rows(db)).isEqualTo(1);
      setRows(db, 1, 3);
    }
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      assertThat(rows(db)).isEqualTo(3);
    }
  }

  @Test
  void aMissingSortedFileRefusesToOpen() throws IOException {
    Path directory = closedStoreWithTables();
    Files.delete(files(directory, ".sst").getFirst());
    assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED));
  }

  @Test
  void aFileWhereTheDirectoryShouldBeIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no directory");
    assertThatThrownBy(() -> EmbeddedDatabase.open(file))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("must be a directory that this process may write");
  }

  /** Makes a killed database of 20 commits: all in the log, unless the write buffer is small. */
  private Path fill(long writeBufferBytes) throws IOException {
    Path directory = folder.resolve("db");
    Path open = folder.resolve("open");
    try (EmbeddedDatabase db =
        EmbeddedDatabase.open(
            open, o -> o.withSync(false).withWriteBufferBytes(writeBufferBytes))) {
      write(db);
      copy(open, directory);
    }
    return directory;
  }

  private Path closedStoreWithTables() {
    Path directory = folder.resolve("db");
    try (EmbeddedDatabase db =
        EmbeddedDatabase.open(directory, o -> o.withSync(false).withWriteBufferBytes(1 << 20))) {
      write(db);
    }
    return directory;
  }

  private static void write(EmbeddedDatabase db) {
    for (int i = 0; i < KEYS; i += 1_000) {
      int from = i;
      db.run(
          tx -> {
            for (int j = from; j < from + 1_000; j++) {
              tx.set(
                  Key.utf8("%09d".formatted(j)),
                  Integer.toString(j * 31).repeat(20).getBytes(UTF_8));
            }
          });
    }
  }

  /** Copies an open database as a kill would leave it. */
  private static void copy(Path open, Path directory) throws IOException {
    Files.createDirectories(directory.resolve("data"));
    try (Stream<Path> files = Files.walk(open)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, directory.resolve(open.relativize(file)));
      }
    }
  }

  /**
   * Makes a database whose first ten commits are in one log and the next ten in another. The first
   * log has {@code more} bytes than its commits.
   */
  private Path twoLogs(int more) throws IOException {
    Path directory = folder.resolve("db");
    Path open = folder.resolve("open");
    int first;
    try (EmbeddedDatabase db = EmbeddedDatabase.open(open)) {
      setRows(db, 0, 10);
      first = (int) Files.size(newest(files(open, ".log")));
      setRows(db, 10, 20);
      copy(open, directory);
    }
    Path log = newest(files(directory, ".log"));
    byte[] bytes = Files.readAllBytes(log);
    assertThat(bytes).hasSizeLessThan(32_768);
    Files.write(log, Arrays.copyOf(bytes, first + more));
    Path later = log.resolveSibling("999999.log");
    Files.write(later, Arrays.copyOfRange(bytes, first, bytes.length));
    return directory;
  }

  /** Sets the rows from {@code from} to {@code to}, each in a commit of its own. */
  private static void setRows(EmbeddedDatabase db, int from, int to) {
    for (int i = from; i < to; i++) {
      Key key = Key.utf8("row%02d".formatted(i));
      db.run(tx -> tx.set(key, new byte[10]));
    }
  }

  private static int rows(EmbeddedDatabase db) {
    return db.read(tx -> tx.scan(KeyRange.ALL).list().size());
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> entries = Files.list(directory.resolve("data"))) {
      return entries.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static Path newest(List<Path> files) {
    return files.stream().max(Comparator.comparing(Path::toString)).orElseThrow();
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 0x40;
    Files.write(file, bytes);
  }
}
