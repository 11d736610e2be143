package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.KeySelector.firstGreaterOrEqual;
import static dev.tidemark.kv.KeySelector.firstGreaterThan;
import static dev.tidemark.kv.KeySelector.lastLessOrEqual;
import static dev.tidemark.kv.KeySelector.lastLessThan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.UsageException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges. */
abstract class ScanConformance extends ConformanceSuite {
  ScanConformance(DatabaseConformance engine) {
    super(engine);
  }

  @Test
  void rangeIncludesItsBeginAndExcludesItsEnd() {
    given("a=1 b=2 c=3 d=4");
    assertThat(readText(tx -> rows(tx.scan(range("b", "d"))))).isEqualTo("b=2 c=3");
    assertThat(readText(tx -> rows(tx.scan(range("aa", "cc"))))).isEqualTo("b=2 c=3");
  }

  @Test
  void reverseScanReadsTheSameRowsFromTheEnd() {
    given("a=1 b=2 c=3 d=4");
    assertThat(readText(tx -> rows(tx.scan(range("b", "d")).reverse()))).isEqualTo("c=3 b=2");
    assertThat(readText(tx -> rows(tx.scan(range("b", "d")).reverse().reverse())))
        .isEqualTo("b=2 c=3");
  }

  @Test
  void emptyRangesHaveNoRows() {
    given("a=1 c=3");
    assertThat(readText(tx -> rows(tx.scan(range("a", "a"))))).isEmpty();
    assertThat(readText(tx -> rows(tx.scan(range("b", "c"))))).isEmpty();
    assertThat(readText(tx -> rows(tx.scan(range("b", "c")).reverse()))).isEmpty();
    assertThat(readText(tx -> rows(tx.scan(KeyRange.of(Key.END, Key.END))))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ScanMode.class)
  void everyLimitInBothDirections(ScanMode mode) {
    given("a=1 b=2 c=3 d=4 e=5 f=6");
    List<String> all = List.of("a=1", "b=2", "c=3", "d=4", "e=5", "f=6");
    try (Transaction tx = db.begin()) {
      for (int limit = 1; limit <= 8; limit++) {
        int count = Math.min(limit, 6);
        Scan scan = tx.scan(KeyRange.ALL).mode(mode).limit(limit);
        assertThat(rows(scan)).isEqualTo(String.join(" ", all.subList(0, count)));
        assertThat(rows(scan.reverse()))
            .isEqualTo(String.join(" ", all.reversed().subList(0, count)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ScanMode.class)
  void scanOfManyPortionsLosesAndRepeatsNothing(ScanMode mode) {
    int count = 2_500;
    List<Key> expected = new ArrayList<>();
    db.run(
        tx -> {
          expected.clear();
          for (int i = 0; i < count; i++) {
            Key key = key("k%05d".formatted(i));
            tx.set(key, new byte[i % 300]);
            expected.add(key);
          }
        });
    try (Transaction tx = db.begin()) {
      Scan scan = tx.scan(range("k", "l")).mode(mode).limit(count + 1);
      List<Key> found = new ArrayList<>();
      for (KeyValue row : scan) {
        assertThat(row.value()).hasSize(found.size() % 300);
        found.add(row.key());
      }
      assertThat(found).isEqualTo(expected);
      assertThat(scan.reverse().stream().map(KeyValue::key).toList())
          .isEqualTo(expected.reversed());
    }
  }

  @Test
  void valueLargerThanAPortionIsScanned() {
    db.run(
        tx -> {
          tx.set(key("a"), new byte[100_000]);
          tx.set(key("b"), new byte[1]);
          tx.set(key("c"), new byte[100_000]);
        });
    for (ScanMode mode : List.of(ScanMode.SMALL, ScanMode.ITERATOR, ScanMode.WANT_ALL)) {
      List<Integer> sizes =
          db.read(
              tx -> tx.scan(KeyRange.ALL).mode(mode).stream().map(r -> r.value().length).toList());
      assertThat(sizes).containsExactly(100_000, 1, 100_000);
    }
  }

  @Test
  void selectorsBoundAScan() {
    given("a=1 b=2 c=3 d=4 e=5");
    try (Transaction tx = db.begin()) {
      assertThat(rows(tx.scan(firstGreaterThan(key("a")), firstGreaterThan(key("c")))))
          .isEqualTo("b=2 c=3");
      assertThat(rows(tx.scan(lastLessThan(key("c")), firstGreaterOrEqual(key("d")))))
          .isEqualTo("b=2 c=3");
      assertThat(rows(tx.scan(firstGreaterOrEqual(key("a")).add(2), lastLessOrEqual(Key.END))))
          .isEqualTo("c=3 d=4");
      assertThat(
              rows(
                  tx.scan(firstGreaterOrEqual(key("a")).add(2), lastLessOrEqual(Key.END))
                      .reverse()))
          .isEqualTo("d=4 c=3");
      assertThat(rows(tx.scan(lastLessThan(key("a")), firstGreaterOrEqual(key("b")).add(9))))
          .isEqualTo("a=1 b=2 c=3 d=4 e=5");
    }
  }

  @Test
  void selectorsThatCrossMakeAnEmptyScan() {
    given("a=1 b=2 c=3");
    try (Transaction tx = db.begin()) {
      assertThat(rows(tx.scan(firstGreaterOrEqual(key("c")), firstGreaterOrEqual(key("a")))))
          .isEmpty();
      assertThat(rows(tx.scan(firstGreaterThan(key("a")), lastLessThan(key("b"))).reverse()))
          .isEmpty();
    }
  }

  @Test
  void eachIterationStartsAnew() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      Scan scan = tx.scan(KeyRange.ALL);
      Iterator<KeyValue> begun = scan.iterator();
      begun.next();
      assertThat(rows((Iterable<KeyValue>) scan)).isEqualTo("a=1 b=2");
      assertThat(rows((Iterable<KeyValue>) scan)).isEqualTo("a=1 b=2");
      tx.set(key("c"), bytes("3"));
      assertThat(rows(scan)).isEqualTo("a=1 b=2 c=3");
    }
  }

  @Test
  void narrowingLeavesTheScanItselfAlone() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      Scan scan = tx.scan(KeyRange.ALL);
      assertThat(rows(scan.limit(1).reverse())).isEqualTo("b=2");
      assertThat(rows(scan)).isEqualTo("a=1 b=2");
    }
  }

  @Test
  void firstIsTheFirstRowOfTheDirection() {
    given("a=1 b=2");
    try (Transaction tx = db.begin()) {
      assertThat(tx.scan(KeyRange.ALL).first().map(KeyValue::key)).hasValue(key("a"));
      assertThat(tx.scan(KeyRange.ALL).reverse().first().map(KeyValue::key)).hasValue(key("b"));
      assertThat(tx.scan(range("x", "y")).first()).isEmpty();
    }
  }

  @Test
  void iteratorPastTheEndSaysSo() {
    given("a=1");
    try (Transaction tx = db.begin()) {
      Iterator<KeyValue> rows = tx.scan(KeyRange.ALL).iterator();
      rows.next();
      assertThat(rows.hasNext()).isFalse();
      assertThat(rows.hasNext()).isFalse();
      assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void nothingIsReadBeforeIteration() {
    try (Transaction tx = db.begin()) {
      Scan scan = tx.scan(KeyRange.ALL);
      given("a=1");
      assertThat(rows(scan)).isEqualTo("a=1");
    }
  }

  @Test
  void metadataVersionIsInNoScan() {
    db.run(
        tx ->
            tx.mutate(
                dev.tidemark.kv.MutationType.SET_VERSIONSTAMPED_VALUE,
                Key.METADATA_VERSION,
                new byte[14]));
    given("a=1");
    assertThat(stored()).isEqualTo("a=1");
    assertThat(readText(tx -> rows(tx.scan(KeyRange.ALL).reverse()))).isEqualTo("a=1");
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    try (Transaction tx = db.begin()) {
      assertFails(UsageException.class, 2012, () -> tx.scan(KeyRange.ALL).limit(0));
      assertFails(UsageException.class, 2012, () -> tx.scan(KeyRange.ALL).limit(-1));
      assertFails(
          UsageException.class, 2012, () -> tx.scan(KeyRange.ALL).mode(ScanMode.EXACT).iterator());
    }
  }
}
