package dev.tidemark.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.testkit.internal.Concurrently;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Single reads, and the version that a transaction reads. */
abstract class ReadConformance extends ConformanceSuite {
  ReadConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void committedValueIsRead() {
    given("a=1");
    assertThat(stored("a")).isEqualTo("1");
  }

  @Test
  void absentKeyHasNoValue() {
    assertThat(stored("a")).isEqualTo("absent");
  }

  @Test
  void emptyValueIsNotAbsent() {
    db.run(tx -> tx.set(key("a"), new byte[0]));
    assertThat(db.read(tx -> tx.get(key("a"))).orElseThrow()).isEmpty();
  }

  @Test
  void emptyKeyIsAKey() {
    db.run(tx -> tx.set(Key.EMPTY, bytes("1")));
    assertThat(readText(tx -> text(tx.get(Key.EMPTY)))).isEqualTo("1");
    assertThat(stored()).isEqualTo("=1");
  }

  @Test
  void laterValueReplacesTheEarlier() {
    given("a=1");
    given("a=2");
    assertThat(stored()).isEqualTo("a=2");
  }

  @Test
  void clearedKeysAreGone() {
    given("a=1 b=2 c=3 d=4");
    db.run(tx -> tx.clear(key("d")));
    db.run(tx -> tx.clear(range("a", "c")));
    assertThat(stored()).isEqualTo("c=3");
  }

  @Test
  void clearOfAnAbsentKeyAndOfAnEmptyRangeDoNothing() {
    given("a=1");
    db.run(
        tx -> {
          tx.clear(key("b"));
          tx.clear(range("a", "a"));
        });
    assertThat(stored()).isEqualTo("a=1");
  }

  @Test
  void bytesOfEveryValueAreKeptAndOrderedUnsigned() {
    db.run(
        tx -> {
          for (int i = 0; i < 255; i++) {
            tx.set(Key.of((byte) i), new byte[] {(byte) i, 0, (byte) 0xff});
          }
        });
    var rows = db.read(tx -> tx.scan(KeyRange.ALL).list());
    assertThat(rows).hasSize(255);
    for (int i = 0; i < 255; i++) {
      assertThat(rows.get(i).key()).isEqualTo(Key.of((byte) i));
      assertThat(rows.get(i).value()).containsExactly((byte) i, 0, (byte) 0xff);
    }
  }

  @Test
  void getAllFindsWhatIsThereInTheOrderAskedFor() {
    given("a=1 b=2 d=4");
    Map<Key, byte[]> found =
        db.read(tx -> tx.getAll(List.of(key("d"), key("c"), key("a"), key("x"))));
    assertThat(found.keySet()).containsExactly(key("d"), key("a"));
    assertThat(found.get(key("d"))).isEqualTo(bytes("4"));
    assertThat(found.get(key("a"))).isEqualTo(bytes("1"));
  }

  @Test
  void getAllOfNothingIsEmpty() {
    assertThat(values(List.of())).isEmpty();
  }

  @Test
  void getAllTakesAKeyTwice() {
    given("a=1");
    assertThat(values(List.of(key("a"), key("a")))).containsOnlyKeys(key("a"));
  }

  @Test
  void storeKeepsNoArrayOfTheWriter() {
    byte[] value = bytes("1");
    db.run(
        tx -> {
          tx.set(key("a"), value);
          Arrays.fill(value, (byte) 'x');
        });
    assertThat(stored("a")).isEqualTo("1");
  }

  @Test
  void storeKeepsNoArrayOfAnOperand() {
    byte[] operand = number(1);
    db.run(
        tx -> {
          tx.mutate(dev.tidemark.kv.MutationType.ADD, key("a"), operand);
          Arrays.fill(operand, (byte) 9);
        });
    assertThat(value(key("a"))).hasValue(number(1));
  }

  @Test
  void arraysThatAreReadAreTheReadersOwn() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      tx.set(key("b"), bytes("2"));
      for (String name : List.of("a", "b")) {
        Arrays.fill(tx.get(key(name)).orElseThrow(), (byte) 'x');
        tx.getAll(List.of(key(name))).values().forEach(value -> Arrays.fill(value, (byte) 'x'));
        tx.scan(KeyRange.ALL).forEach(row -> Arrays.fill(row.value(), (byte) 'x'));
      }
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("a=1 b=2");
      tx.commit();
    }
    assertThat(stored()).isEqualTo("a=1 b=2");
  }

  @Test
  void openTransactionKeepsReadingItsVersion() {
    given("a=1 b=1");
    try (Transaction tx = db.begin()) {
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      db.run(t -> write(t, "a=2 b=2 c=2"));
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      assertThat(text(tx.get(key("b")))).isEqualTo("1");
      assertThat(rows(tx.scan(KeyRange.ALL))).isEqualTo("a=1 b=1");
      assertThat(rows(tx.snapshot().scan(KeyRange.ALL))).isEqualTo("a=1 b=1");
    }
  }

  @Test
  void versionIsFixedByTheFirstReadNotByBegin() {
    try (Transaction tx = db.begin()) {
      given("a=1");
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
    }
  }

  @Test
  void askingForTheReadVersionFixesIt() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      long version = tx.readVersion();
      given("a=2");
      assertThat(text(tx.get(key("a")))).isEqualTo("1");
      assertThat(tx.readVersion()).isEqualTo(version);
      assertThat(tx.snapshot().readVersion()).isEqualTo(version);
    }
  }

  @Test
  void commitIsVisibleExactlyFromItsVersionOn() {
    try (Transaction before = db.begin()) {
      long early = before.readVersion();
      long committed = commit(tx -> write(tx, "a=1"));
      assertThat(committed).isGreaterThan(early);
      assertThat(text(before.get(key("a")))).isEqualTo("absent");
      try (Transaction after = db.begin()) {
        assertThat(after.readVersion()).isGreaterThanOrEqualTo(committed);
        assertThat(text(after.get(key("a")))).isEqualTo("1");
      }
    }
  }

  @Test
  void commitVersionsGrow() {
    long last = 0;
    for (int i = 0; i < 50; i++) {
      long version = commit(tx -> tx.set(key("a"), bytes("1")));
      assertThat(version).isGreaterThan(last);
      last = version;
    }
  }

  @Test
  void everyThreadSeesWhatAnotherCommittedBefore() throws Exception {
    for (int i = 0; i < 50; i++) {
      String value = Integer.toString(i);
      Concurrently.run(() -> given("a=" + value));
      assertThat(stored("a")).isEqualTo(value);
    }
  }

  @Test
  void readerNeverSeesHalfACommit() throws Exception {
    given("a=0 b=0");
    Concurrently.run(
        () -> {
          for (int i = 1; i <= 200; i++) {
            given("a=" + i + " b=" + i);
          }
        },
        () -> {
          for (int i = 0; i < 200; i++) {
            db.read(
                tx -> {
                  assertThat(text(tx.get(key("a")))).isEqualTo(text(tx.get(key("b"))));
                  return true;
                });
          }
        });
  }

  @Test
  void oneTransactionServesSeveralThreads() throws Exception {
    given("a=1 b=2 c=3");
    try (Transaction tx = db.begin()) {
      Runnable work =
          () -> {
            for (int i = 0; i < 100; i++) {
              Key own = key("t" + Thread.currentThread().threadId() + "/" + i);
              tx.set(own, bytes("x"));
              assertThat(text(tx.get(own))).isEqualTo("x");
              assertThat(rows(tx.scan(range("a", "d")))).isEqualTo("a=1 b=2 c=3");
            }
          };
      Concurrently.run(work::run, work::run, work::run);
      tx.commit();
    }
    assertThat(storedRows(range("t", "u"))).hasSize(300);
  }

  @Test
  void splitPointsCutARangeInOrder() {
    db.run(
        tx -> {
          for (int i = 0; i < 1_000; i++) {
            tx.set(key("k%04d".formatted(i)), new byte[1_000]);
          }
        });
    KeyRange range = range("k", "l");
    List<Key> cuts = db.splitPoints(range, 100_000);
    assertThat(cuts).isSorted().doesNotHaveDuplicates();
    assertThat(cuts.getFirst()).isEqualTo(range.begin());
    assertThat(cuts.getLast()).isEqualTo(range.end());
    assertThat(db.estimatedSize(range)).isNotNegative();
    if (engine.estimatesAtOnce()) {
      assertThat(cuts).as("cuts of a megabyte").hasSizeBetween(4, 40);
      assertThat(db.estimatedSize(range)).isBetween(300_000L, 4_000_000L);
      assertThat(db.estimatedSize(range("m", "n"))).isLessThan(100_000);
    }
  }
}
