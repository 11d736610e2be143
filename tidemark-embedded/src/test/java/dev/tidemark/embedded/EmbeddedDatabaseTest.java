package dev.tidemark.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionClosedException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.spi.FileTrees;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {
  @TempDir Path folder;

  @Test
  void keepsWhatWasCommittedWhenOpenedAgain() {
    long version;
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      version = db.read(tx -> tx.readVersion());
    }
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      assertThat(read(db, "a")).isEqualTo("1");
      long later = db.read(tx -> tx.readVersion());
      assertThat(later).isGreaterThan(version);
      db.verify();
    }
  }

  @Test
  void aSecondOpenOfADirectoryIsRefused() {
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      assertThatThrownBy(() -> EmbeddedDatabase.open(folder.resolve("db")))
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.IN_USE))
          .hasMessageContaining("open already");
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
    }
  }

  @Test
  void anOpenFromAnotherProcessIsRefused() throws Exception {
    Path directory = folder.resolve("db");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory)) {
      // Which must leave the lock where it is.
      assertThatThrownBy(() -> EmbeddedDatabase.open(directory))
          .isInstanceOf(StorageException.class);
      Process other =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OpenInAnotherProcess.class.getName(),
                  directory.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(other.getInputStream().readAllBytes(), UTF_8);
      assertThat(other.waitFor()).as(said).isZero();
      assertThat(said).contains("IN_USE").contains("is not opened").contains("open already");
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
    }
  }

  /** Opens the directory it is given, and says what came of it. */
  static final class OpenInAnotherProcess {
    public static void main(String[] arguments) {
      try (EmbeddedDatabase db = EmbeddedDatabase.open(Path.of(arguments[0]))) {
        System.out.println("opened " + db.options());
      } catch (StorageException refusal) {
        System.out.println(refusal.kind() + " " + refusal.getMessage());
      }
    }
  }

  @Test
  void aDirectoryThatIsNoDatabaseIsRefused() throws Exception {
    Files.writeString(folder.resolve("letter.txt"), "hello");
    assertThatThrownBy(() -> EmbeddedDatabase.open(folder))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.WRONG_FORMAT));
  }

  @Test
  void filesOfAnotherVersionAreRefused() throws Exception {
    EmbeddedDatabase.open(folder.resolve("db")).close();
    Files.writeString(folder.resolve("db/TIDEMARK"), "tidemark embedded database\nformat 9\n");
    assertThatThrownBy(() -> EmbeddedDatabase.open(folder.resolve("db")))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("format 9");
  }

  @Test
  void aDatabaseWhoseDataAreGoneIsReportedAndNotCreatedAnew() throws Exception {
    EmbeddedDatabase.open(folder.resolve("db")).close();
    FileTrees.remove(folder.resolve("db/data"));
    assertThatThrownBy(() -> EmbeddedDatabase.open(folder.resolve("db")))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED));
  }

  @Test
  void backsUpWhileInUseAndRestores() {
    Path backup = folder.resolve("backup");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      db.backup(backup);
      db.run(tx -> tx.set(Key.utf8("a"), bytes("2")));
    }
    EmbeddedDatabase.restore(backup, folder.resolve("restored"));
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("restored"))) {
      assertThat(read(db, "a")).isEqualTo("1");
    }
  }

  @Test
  void aDamagedBackupIsNotRestored() throws Exception {
    Path backup = folder.resolve("backup");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      db.backup(backup);
    }
    Path current = backup.resolve("data/CURRENT");
    Files.writeString(current, Files.readString(current).replace('0', '1'));
    assertThatThrownBy(() -> EmbeddedDatabase.restore(backup, folder.resolve("restored")))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED));
  }

  @Test
  void aRestoreThatFailedLeavesNothingThatOpens() throws Exception {
    Path backup = folder.resolve("backup");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      db.backup(backup);
    }
    Files.delete(backup.resolve("data/CURRENT"));
    Path target = folder.resolve("restored");
    assertThatThrownBy(() -> EmbeddedDatabase.restore(backup, target))
        .hasMessageContaining("CURRENT is missing");
    assertThatThrownBy(() -> EmbeddedDatabase.open(target))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("not restored to its end");
  }

  @Test
  void aBackupWithACutListIsNotRestored() throws Exception {
    Path backup = folder.resolve("backup");
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.backup(backup);
    }
    String list = Files.readString(backup.resolve("BACKUP"));
    Files.writeString(backup.resolve("BACKUP"), list.substring(0, list.indexOf("end")));
    assertThatThrownBy(() -> EmbeddedDatabase.restore(backup, folder.resolve("restored")))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.DAMAGED));
  }

  @Test
  void whatACrashLeftOfABackupGoesAtTheNextOpening() throws Exception {
    Path directory = folder.resolve("db");
    EmbeddedDatabase.open(directory).close();
    Path leftover = Files.createDirectories(directory.resolve("checkpoint-17"));
    Files.writeString(leftover.resolve("000001.sst"), "dead");
    Files.writeString(directory.resolve("TIDEMARK.new"), "half");
    EmbeddedDatabase.open(directory).close();
    assertThat(leftover).doesNotExist();
  }

  @Test
  void aDirectoryWithAHalfWrittenFirstFileIsAsGoodAsEmpty() throws Exception {
    Files.writeString(folder.resolve("TIDEMARK.new"), "tide");
    EmbeddedDatabase.open(folder).close();
    EmbeddedDatabase.open(folder).close();
  }

  @Test
  void openingAndRestoringWorkOnAnInterruptedThread() {
    Thread.currentThread().interrupt();
    try (EmbeddedDatabase db = EmbeddedDatabase.open(folder.resolve("db"))) {
      db.backup(folder.resolve("backup"));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    EmbeddedDatabase.restore(folder.resolve("backup"), folder.resolve("restored"));
  }

  @Test
  void aCallerWhoChangesAnArrayChangesNothingElse() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      Key key = Key.utf8("n");
      db.run(
          tx -> {
            tx.mutate(MutationType.ADD, key, new byte[] {1});
            tx.get(key).orElseThrow()[0] = 99;
          });
      byte[] stored = db.read(tx -> tx.get(key)).orElseThrow();
      assertThat(stored).containsExactly(1);
    }
  }

  @Test
  void aStampedKeyThatItsTransactionClearsLaterIsNotStored() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      Subspace log = Subspace.of("log");
      db.run(
          tx -> {
            Tuple stamp = Tuple.of(Versionstamp.incomplete(0));
            tx.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY, log.packWithVersionstamp(stamp), bytes("1"));
            Key middle = Key.wrap(log.pack(Versionstamp.of(1L << 60, 0, 0)).toByteArray());
            tx.clear(KeyRange.of(log.prefix(), middle));
          });
      List<KeyValue> rows = db.read(tx -> tx.scan(KeyRange.ALL).list());
      assertThat(rows).isEmpty();
    }
  }

  @Test
  void aRangeClearedAfterAStampedSetCanBeReadAgain() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      Subspace log = Subspace.of("log");
      db.run(
          tx -> {
            Tuple stamp = Tuple.of(Versionstamp.incomplete(0));
            tx.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY, log.packWithVersionstamp(stamp), bytes("1"));
            tx.clear(log.prefixRange());
            assertThat(tx.scan(log.prefixRange()).list()).isEmpty();
          });
      List<KeyValue> rows = db.read(tx -> tx.scan(KeyRange.ALL).list());
      assertThat(rows).isEmpty();
    }
  }

  @Test
  void scansOfARangeClearedBeforeDoNotConflictWithBlindWriters() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory();
        Transaction tx = db.begin()) {
      KeyRange range = KeyRange.of(Key.utf8("a"), Key.utf8("c"));
      tx.readVersion();
      tx.clear(range);
      assertThat(tx.scan(range).list()).isEmpty();
      db.run(other -> other.set(Key.utf8("b"), bytes("1")));
      tx.commit();
      List<KeyValue> rows = db.read(later -> later.scan(range).list());
      assertThat(rows).isEmpty();
    }
  }

  @Test
  void anAddedReadConflictCountsFromWhereItWasAdded() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory();
        Transaction tx = db.begin()) {
      tx.addReadConflict(Key.utf8("a"));
      tx.set(Key.utf8("b"), bytes("1"));
      db.run(other -> other.set(Key.utf8("a"), bytes("1")));
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
  }

  @Test
  void rangesReadInTurnAreCountedOnce() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory();
        Transaction tx = db.begin()) {
      for (int i = 0; i < 3_000; i++) {
        for (String begin : List.of("a", "m")) {
          tx.scan(KeyRange.of(Key.utf8(begin), Key.utf8(begin + "z"))).list();
        }
      }
      assertThat(tx.size()).isLessThan(20_000);
    }
  }

  @Test
  void selectorsTakeTheLargestOffsets() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      Key end = db.read(tx -> tx.getKey(new KeySelector(Key.EMPTY, false, Integer.MAX_VALUE)));
      Key begin = db.read(tx -> tx.getKey(new KeySelector(Key.END, true, Integer.MIN_VALUE)));
      assertThat(end).isEqualTo(Key.END);
      assertThat(begin).isEqualTo(Key.EMPTY);
    }
  }

  @Test
  void splitPointsAreFoundUnderALongPrefix() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      for (int i = 0; i < 50; i++) {
        int base = i * 100;
        db.run(
            tx -> {
              for (int j = 0; j < 100; j++) {
                tx.set(Key.utf8("application/customers/%06d".formatted(base + j)), new byte[200]);
              }
            });
      }
      assertThat(db.splitPoints(KeyRange.ALL, 100_000).size()).isBetween(5, 40);
      assertThatThrownBy(() -> db.estimatedSize(KeyRange.of(Key.EMPTY, Key.METADATA_VERSION)))
          .isInstanceOf(UsageException.class);
    }
  }

  @Test
  void scansFindWhatIsThereAmongThousandsOfDeletedKeys() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      for (String key : List.of("a", "m5000x", "z")) {
        db.run(tx -> tx.set(Key.utf8(key), bytes(key)));
      }
      for (int i = 0; i < 10; i++) {
        int base = i * 1_000;
        db.run(
            tx -> {
              for (int j = base; j < base + 1_000; j++) {
                tx.set(Key.utf8("m%04d".formatted(j)), bytes("1"));
              }
            });
      }
      db.run(
          tx -> {
            for (int i = 0; i < 10_000; i++) {
              tx.clear(Key.utf8("m%04d".formatted(i)));
            }
          });
      for (boolean reverse : List.of(false, true)) {
        for (KeyRange range :
            List.of(
                KeyRange.ALL,
                KeyRange.of(Key.utf8("a"), Key.utf8("m")),
                KeyRange.of(Key.utf8("m0500"), Key.utf8("n")),
                KeyRange.of(Key.utf8("m6000"), Key.utf8("zz")))) {
          List<KeyValue> rows =
              db.read(tx -> (reverse ? tx.scan(range).reverse() : tx.scan(range)).list());
          List<String> expected = new ArrayList<>();
          for (String key : List.of("a", "m5000x", "z")) {
            if (range.contains(Key.utf8(key))) {
              expected.add(key);
            }
          }
          List<String> found = new ArrayList<>();
          rows.forEach(row -> found.add(new String(row.key().toByteArray(), UTF_8)));
          if (reverse) {
            Collections.reverse(found);
          }
          assertThat(found).as("%s reverse=%s", range, reverse).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aReadThatACancelOvertakesIsToldOfTheCancel() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      db.run(tx -> tx.set(Key.utf8("a"), bytes("1")));
      for (int i = 0; i < 200; i++) {
        Transaction tx = db.begin();
        tx.get(Key.utf8("a"));
        db.run(other -> other.set(Key.utf8("a"), bytes("2")));
        Thread canceller = Thread.ofPlatform().start(tx::cancel);
        assertThatThrownBy(
                () -> {
                  while (true) {
                    tx.snapshot().get(Key.utf8("a"));
                  }
                })
            .isInstanceOf(TransactionClosedException.class);
        canceller.join();
        tx.close();
      }
    }
  }

  @Test
  void readersSeeOwnWritesAndConflictsAreFound() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      db.run(
          tx -> {
            for (char c = 'a'; c <= 'j'; c++) {
              tx.set(Key.utf8("" + c), bytes("" + c));
            }
          });
      try (Transaction first = db.begin();
          Transaction second = db.begin()) {
        first.clear(KeyRange.of(Key.utf8("b"), Key.utf8("e")));
        first.set(Key.utf8("c"), bytes("new"));
        List<String> keys = new ArrayList<>();
        for (KeyValue row : first.scan(KeyRange.ALL).limit(4)) {
          keys.add(new String(row.key().toByteArray(), UTF_8));
        }
        assertThat(keys).containsExactly("a", "c", "e", "f");
        assertThat(second.scan(KeyRange.ALL).reverse().list()).hasSize(10);
        second.set(Key.utf8("z"), bytes("z"));
        first.commit();
        assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
      }
    }
  }

  @Test
  void mutationsOfOneGroupAndOthersAddUp() throws Exception {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      byte[] one = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(1).array();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int j = 0; j < 200; j++) {
                        db.run(tx -> tx.mutate(MutationType.ADD, Key.utf8("n"), one));
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      byte[] sum = db.read(tx -> tx.get(Key.utf8("n"))).orElseThrow();
      assertThat(ByteBuffer.wrap(sum).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(3200);
      assertThat(db.statistics().commits()).isEqualTo(3200);
    }
  }

  @Test
  void aWatchFiresWhenItsKeyChanges() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      Watch watch = db.transact(tx -> tx.watch(Key.utf8("w")));
      assertThat(watch.fired()).isFalse();
      db.run(tx -> tx.set(Key.utf8("w"), bytes("1")));
      assertThat(watch.await(Duration.ofSeconds(5))).isTrue();
    }
  }

  @Test
  void splitPointsCutARangeIntoPieces() {
    try (EmbeddedDatabase db = EmbeddedDatabase.inMemory()) {
      for (int i = 0; i < 100; i++) {
        int base = i * 100;
        db.run(
            tx -> {
              for (int j = 0; j < 100; j++) {
                tx.set(Key.utf8("%06d".formatted(base + j)), new byte[100]);
              }
            });
      }
      assertThat(db.estimatedSize(KeyRange.ALL)).isBetween(300_000L, 4_000_000L);
      List<Key> points = db.splitPoints(KeyRange.ALL, 100_000);
      assertThat(points).startsWith(Key.EMPTY).endsWith(Key.END).isSorted();
      assertThat(points.size()).isBetween(5, 40);
    }
  }

  private static String read(EmbeddedDatabase db, String key) {
    byte[] value = db.read(tx -> tx.get(Key.utf8(key))).orElseThrow();
    return new String(value, UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
