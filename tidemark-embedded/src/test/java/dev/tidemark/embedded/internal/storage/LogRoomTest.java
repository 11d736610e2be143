package dev.tidemark.embedded.internal.storage;

import static dev.tidemark.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.embedded.internal.files.DirectoryFormat;
import dev.tidemark.embedded.internal.files.LogCheck;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Zeros behind the end of a log, and what a crash makes of them. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LogRoomTest {
  /** Enough for the log to be looked at, and far less than a step of room. */
  private static final int SOME = 3_000;

  private static final byte[] VALUE = "what every row has".repeat(3).getBytes(UTF_8);

  @TempDir Path folder;

  @BeforeEach
  void needsAFileSystemThatIsUsedSo() {
    assumeTrue(LogRoom.isPossible(folder));
  }

  @Test
  void commitsGoOverTheRoomAndAreThereAfterACrash() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      commit(db, 0, SOME);
      Path log = newestLog("db");
      awaitRoom(log);
      long before = Files.size(log);
      commit(db, SOME, 2 * SOME);
      assertThat(Files.size(log)).isEqualTo(before);
      crash("crashed");
    }
    assertThat(endsWithZeros(newestLog("crashed"))).isTrue();
    assertRows("crashed", 2 * SOME);
  }

  @Test
  void roomThatIsUsedUpIsFollowedByMore() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      int rows = SOME;
      commit(db, 0, rows);
      Path log = newestLog("db");
      awaitRoom(log);
      while (Files.size(log) < 3L * LogRoom.STEP) {
        commit(db, rows, rows += SOME);
      }
      crash("crashed");
      assertRows("crashed", rows);
    }
  }

  @Test
  void everyNewLogGetsRoomOfWhichNothingIsLeftAtTheClose() throws Exception {
    int rows = 0;
    try (EmbeddedDatabase db =
        EmbeddedDatabase.open(
            folder.resolve("db"), options -> options.withWriteBufferBytes(1 << 20))) {
      Path first = newestLog("db");
      while (number(newestLog("db")) < number(first) + 10) {
        commit(db, rows, rows += SOME);
      }
      commit(db, rows, rows += SOME);
      awaitRoom(newestLog("db"));
      crash("crashed");
    }
    assertThat(endsWithZeros(newestLog("db"))).isFalse();
    assertRows("crashed", rows);
    assertRows("db", rows);
  }

  @Test
  void recordOfWhichAPartIsMissingInTheRoomIsTheEndOfTheLog() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      commit(db, 0, SOME);
      awaitRoom(newestLog("db"));
      commit(db, SOME, SOME + 1);
      crash("crashed");
    }
    Path log = newestLog("crashed");
    byte[] bytes = Files.readAllBytes(log);
    int end = end(bytes);
    Arrays.fill(bytes, end - 80, end - 40, (byte) 0);
    Files.write(log, bytes);
    assertRows("crashed", SOME);
  }

  @Test
  void backupsMadeWhileCommitsGoOverTheRoomHaveAllUpToSomeCommit() throws Exception {
    AtomicInteger rows = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      commit(db, 0, SOME);
      rows.set(SOME);
      awaitRoom(newestLog("db"));
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      commit(db, rows.get(), rows.get() + 1);
                      rows.incrementAndGet();
                    }
                  });
      for (int i = 0; i < 5; i++) {
        int before = rows.get();
        db.backup(folder.resolve("backup" + i));
        EmbeddedDatabase.restore(folder.resolve("backup" + i), folder.resolve("restored" + i));
        int restored = assertRowsFromTheFirst("restored" + i);
        assertThat(restored).isBetween(before, rows.get() + 1);
      }
      over.set(true);
      writer.join();
    }
  }

  @Test
  void longWritesGetNoRoom() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      for (int i = 0; i < 20; i++) {
        Key key = Key.utf8("long" + i);
        db.run(tx -> tx.set(key, new byte[99_999]));
      }
      assertThat(threads()).doesNotContain("tidemark-log-room");
    }
  }

  @Test
  void threadEndsWithTheDatabase() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      commit(db, 0, SOME);
      assertThat(threads()).contains("tidemark-log-room");
    }
    assertThat(threads()).doesNotContain("tidemark-log-room");
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  /** Sets the rows from {@code from} to {@code to}, each in a commit of its own. */
  private static void commit(EmbeddedDatabase db, int from, int to) {
    for (int i = from; i < to; i++) {
      Key key = key(i);
      db.run(tx -> tx.set(key, VALUE));
    }
  }

  private void assertRows(String name, int rows) {
    assertThat(assertRowsFromTheFirst(name)).isEqualTo(rows);
  }

  /** Checks that there are rows without a gap; how many. */
  private int assertRowsFromTheFirst(String name) {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve(name))) {
      List<Key> keys =
          db.read(tx -> tx.scan(KeyRange.ALL).list().stream().map(row -> row.key()).toList());
      assertThat(keys)
          .isEqualTo(IntStream.range(0, keys.size()).mapToObj(LogRoomTest::key).toList());
      db.verify();
      return keys.size();
    }
  }

  private static Key key(int row) {
    return Key.utf8("row%09d".formatted(row));
  }

  private static void awaitRoom(Path log) {
    eventually("the log has room", () -> log.toFile().length() >= LogRoom.STEP);
  }

  /** What a process that is killed now would leave. */
  private void crash(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (Stream<Path> files = Files.walk(folder.resolve("db"))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(folder.resolve("db").relativize(file).toString()));
      }
    }
  }

  private Path newestLog(String name) throws IOException {
    return LogCheck.logs(folder.resolve(name).resolve(DirectoryFormat.DATA)).getLast();
  }

  private static int number(Path log) {
    return Integer.parseInt(log.getFileName().toString().replace(".log", ""));
  }

  private static boolean endsWithZeros(Path log) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    return end(bytes) < bytes.length - 1_000;
  }

  /** Where the zeros at the end begin. */
  private static int end(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }
}
