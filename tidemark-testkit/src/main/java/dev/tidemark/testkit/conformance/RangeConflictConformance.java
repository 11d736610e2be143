package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.KeySelector.firstGreaterOrEqual;
import static dev.tidemark.kv.KeySelector.firstGreaterThan;
import static dev.tidemark.kv.KeySelector.lastLessOrEqual;
import static dev.tidemark.kv.KeySelector.lastLessThan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext.TransactionAction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a scan, a selector or a limited scan conflicts with. */
abstract class RangeConflictConformance extends ConflictSuite {
  RangeConflictConformance(DatabaseConformance engine) {
    super(engine);
  }

  private static TransactionAction<RuntimeException> set(String key) {
    return tx -> tx.set(key(key), bytes("x"));
  }

  private static TransactionAction<RuntimeException> clear(String key) {
    return tx -> tx.clear(key(key));
  }

  @Test
  void insertIntoAGapOfAScanConflicts() {
    given("b=1 d=2");
    TransactionAction<RuntimeException> scan = tx -> tx.scan(range("a", "f")).list();
    for (String gap : List.of("a", "c", "e")) {
      assertConflict(scan, set(gap));
      db.run(clear(gap));
    }
    assertNoConflict(scan, set("f"));
    assertNoConflict(scan, set("0"));
  }

  @Test
  void scanThatFoundNothingConflictsWithAnInsert() {
    assertConflict(tx -> assertThat(tx.scan(range("a", "b")).list()).isEmpty(), set("aa"));
    assertConflict(
        tx -> assertThat(tx.scan(range("c", "d")).reverse().first()).isEmpty(), set("cc"));
  }

  @Test
  void changeAndRemovalOfAScannedRowConflict() {
    given("b=1 d=2");
    TransactionAction<RuntimeException> scan = tx -> tx.scan(range("a", "f")).list();
    assertConflict(scan, set("b"));
    assertConflict(scan, clear("d"));
    assertConflict(scan, tx -> tx.clear(range("c", "z")));
    assertConflict(scan, tx -> tx.mutate(MutationType.ADD, key("e"), number(1)));
  }

  @Test
  void limitedScanConflictsOnlyWithWhatItCovered() {
    given("a=1 b=2 c=3 d=4 e=5");
    for (ScanMode mode : ScanMode.values()) {
      TransactionAction<RuntimeException> scan =
          tx -> assertThat(rows(tx.scan(range("a", "f")).limit(2).mode(mode))).isEqualTo("a=1 b=2");
      assertNoConflict(scan, set("c"));
      assertNoConflict(scan, set("bb"));
      db.run(clear("bb"));
      assertConflict(scan, set("aa"));
      db.run(clear("aa"));
      assertConflict(scan, tx -> tx.set(key("b"), bytes("2")));
    }
  }

  @Test
  void limitedReverseScanConflictsOnlyWithWhatItCovered() {
    given("a=1 b=2 c=3 d=4 e=5");
    for (ScanMode mode : ScanMode.values()) {
      TransactionAction<RuntimeException> scan =
          tx ->
              assertThat(rows(tx.scan(range("a", "f")).reverse().limit(2).mode(mode)))
                  .isEqualTo("e=5 d=4");
      assertNoConflict(scan, set("c"));
      assertNoConflict(scan, set("cc"));
      db.run(clear("cc"));
      assertConflict(scan, set("dd"));
      db.run(clear("dd"));
      assertConflict(scan, set("ee"));
      db.run(clear("ee"));
      assertConflict(scan, tx -> tx.set(key("d"), bytes("4")));
    }
  }

  @Test
  void limitThatIsNotReachedCoversTheWholeRange() {
    given("a=1 b=2");
    assertConflict(tx -> tx.scan(range("a", "f")).limit(3).list(), set("e"));
  }

  @Test
  void scanOverOwnWritesConflictsWithTheGapsBetween() {
    given("b=1 d=2");
    TransactionAction<RuntimeException> scan =
        tx -> {
          write(tx, "c=own");
          assertThat(rows(tx.scan(range("a", "e")))).isEqualTo("b=1 c=own d=2");
        };
    assertConflict(scan, set("cc"));
    db.run(clear("cc"));
    assertConflict(scan, tx -> tx.set(key("d"), bytes("2")));
  }

  @Test
  void selectorConflictsWithWhatWouldMoveIt() {
    given("b=1 d=2 f=3");
    TransactionAction<RuntimeException> next =
        tx -> assertThat(tx.getKey(firstGreaterThan(key("b")))).isEqualTo(key("d"));
    assertConflict(next, set("c"));
    db.run(clear("c"));
    assertConflict(next, clear("d"));
    db.run(set("d"));
    assertNoConflict(next, set("e"));
    db.run(clear("e"));
    assertNoConflict(next, set("b"));
    assertNoConflict(next, set("a"));
    db.run(clear("a"));

    TransactionAction<RuntimeException> previous =
        tx -> assertThat(tx.getKey(lastLessThan(key("f")))).isEqualTo(key("d"));
    assertConflict(previous, set("e"));
    db.run(clear("e"));
    assertConflict(previous, clear("d"));
    db.run(set("d"));
    assertNoConflict(previous, set("c"));
    db.run(clear("c"));
    assertNoConflict(previous, set("f"));
  }

  @Test
  void selectorWithAnOffsetConflictsAllTheWay() {
    given("b=1 d=2 f=3 h=4");
    TransactionAction<RuntimeException> third =
        tx -> assertThat(tx.getKey(firstGreaterOrEqual(key("b")).add(2))).isEqualTo(key("f"));
    for (String place : List.of("c", "e")) {
      assertConflict(third, set(place));
      db.run(clear(place));
    }
    assertNoConflict(third, set("g"));
    db.run(clear("g"));
    TransactionAction<RuntimeException> back =
        tx -> assertThat(tx.getKey(lastLessOrEqual(key("h")).add(-2))).isEqualTo(key("d"));
    for (String place : List.of("e", "g")) {
      assertConflict(back, set(place));
      db.run(clear(place));
    }
    assertNoConflict(back, set("c"));
  }

  @Test
  void selectorThatMeetsAnEndConflictsUpToIt() {
    given("d=1");
    assertConflict(
        tx -> assertThat(tx.getKey(firstGreaterThan(key("d")))).isEqualTo(Key.END), set("z"));
    db.run(tx -> tx.clear(KeyRange.ALL));
    given("d=1");
    assertConflict(
        tx -> assertThat(tx.getKey(lastLessThan(key("d")))).isEqualTo(Key.EMPTY), set("a"));
  }

  @Test
  void selectorsThatBoundAScanConflict() {
    given("b=1 d=2 f=3 h=4");
    TransactionAction<RuntimeException> scan =
        tx ->
            assertThat(rows(tx.scan(lastLessThan(key("d")), firstGreaterOrEqual(key("d")).add(1))))
                .isEqualTo("b=1 d=2");
    assertConflict(scan, set("c"));
    db.run(clear("c"));
    assertConflict(scan, set("e"));
    db.run(clear("e"));
    assertNoConflict(scan, set("g"));
  }

  @Test
  void scanThatIsMadeButNotIteratedDoesNotConflict() {
    given("a=1");
    assertNoConflict(tx -> tx.scan(KeyRange.ALL), set("b"));
  }

  @Test
  void phantomIsFoundAmongManyCommits() {
    try (Transaction tx = db.begin()) {
      assertThat(tx.scan(range("q", "r")).list()).isEmpty();
      write(tx, "mine=x");
      // Few enough for the read window, where each of them is synced on a busy machine.
      for (int i = 0; i < 100; i++) {
        given("p" + i + "=x");
      }
      given("qq=x");
      for (int i = 0; i < 100; i++) {
        given("s" + i + "=x");
      }
      assertFails(dev.tidemark.kv.ConflictException.class, 1020, tx::commit);
    }
  }
}
