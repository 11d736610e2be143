package dev.tidemark.testkit.conformance;

import static dev.tidemark.kv.KeySelector.firstGreaterOrEqual;
import static dev.tidemark.kv.KeySelector.firstGreaterThan;
import static dev.tidemark.kv.KeySelector.lastLessOrEqual;
import static dev.tidemark.kv.KeySelector.lastLessThan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.Transaction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys by position. */
abstract class SelectorConformance extends ConformanceSuite {
  SelectorConformance(DatabaseConformance engine) {
    super(engine);
  }

  private String find(KeySelector selector) {
    return db.read(tx -> name(tx.getKey(selector)));
  }

  @Test
  void selectorsAtAStoredKey() {
    given("b=1 d=2 f=3");
    assertThat(find(lastLessThan(key("d")))).isEqualTo("b");
    assertThat(find(lastLessOrEqual(key("d")))).isEqualTo("d");
    assertThat(find(firstGreaterOrEqual(key("d")))).isEqualTo("d");
    assertThat(find(firstGreaterThan(key("d")))).isEqualTo("f");
  }

  @Test
  void selectorsBetweenStoredKeys() {
    given("b=1 d=2 f=3");
    assertThat(find(lastLessThan(key("e")))).isEqualTo("d");
    assertThat(find(lastLessOrEqual(key("e")))).isEqualTo("d");
    assertThat(find(firstGreaterOrEqual(key("e")))).isEqualTo("f");
    assertThat(find(firstGreaterThan(key("e")))).isEqualTo("f");
  }

  @Test
  void everyOffsetFromEveryPlaceCountsStoredKeys() {
    given("b=1 d=2 f=3 h=4");
    List<String> keys = List.of("b", "d", "f", "h");
    for (String place : List.of("", "a", "b", "c", "d", "e", "f", "g", "h", "i")) {
      for (boolean orEqual : List.of(true, false)) {
        long start =
            keys.stream()
                    .filter(k -> k.compareTo(place) < 0 || (orEqual && k.equals(place)))
                    .count()
                - 1;
        for (int offset = -7; offset <= 7; offset++) {
          long index = start + offset;
          String expected = index < 0 ? "" : index >= keys.size() ? "END" : keys.get((int) index);
          KeySelector selector = new KeySelector(key(place), orEqual, offset);
          assertThat(find(selector)).as("%s", selector).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void emptyStoreHasOnlyItsEnds() {
    assertThat(find(lastLessThan(Key.END))).isEmpty();
    assertThat(find(lastLessOrEqual(key("a")))).isEmpty();
    assertThat(find(firstGreaterOrEqual(Key.EMPTY))).isEqualTo("END");
    assertThat(find(firstGreaterThan(key("a")))).isEqualTo("END");
    assertThat(find(firstGreaterOrEqual(key("a")).add(5))).isEqualTo("END");
    assertThat(find(firstGreaterOrEqual(key("a")).add(-5))).isEmpty();
  }

  @Test
  void endsOfTheKeySpaceAreStartingPoints() {
    given("a=1 b=2");
    assertThat(find(lastLessThan(Key.END))).isEqualTo("b");
    assertThat(find(lastLessOrEqual(Key.END))).isEqualTo("b");
    assertThat(find(firstGreaterOrEqual(Key.END))).isEqualTo("END");
    assertThat(find(firstGreaterOrEqual(Key.END).add(-1))).isEqualTo("b");
    assertThat(find(firstGreaterOrEqual(Key.EMPTY))).isEqualTo("a");
    assertThat(find(lastLessThan(Key.EMPTY))).isEmpty();
    assertThat(find(lastLessThan(Key.EMPTY).add(2))).isEqualTo("b");
  }

  @Test
  void ownWritesCountAndOwnClearsDoNot() {
    given("b=1 d=2 f=3 h=4");
    try (Transaction tx = db.begin()) {
      tx.set(key("c"), bytes("x"));
      tx.clear(key("d"));
      tx.clear(range("g", "i"));
      tx.mutate(dev.tidemark.kv.MutationType.ADD, key("j"), number(1));
      assertThat(name(tx.getKey(firstGreaterThan(key("b"))))).isEqualTo("c");
      assertThat(name(tx.getKey(firstGreaterThan(key("c"))))).isEqualTo("f");
      assertThat(name(tx.getKey(firstGreaterThan(key("f"))))).isEqualTo("j");
      assertThat(name(tx.getKey(firstGreaterOrEqual(key("b")).add(3)))).isEqualTo("j");
      assertThat(name(tx.getKey(lastLessThan(key("j"))))).isEqualTo("f");
      assertThat(name(tx.getKey(lastLessOrEqual(Key.END).add(-2)))).isEqualTo("c");
      assertThat(name(tx.snapshot().getKey(firstGreaterThan(key("b"))))).isEqualTo("c");
    }
  }

  @Test
  void positionsBeyondThousandsOfKeysAreFound() {
    db.run(
        tx -> {
          for (int i = 0; i < 3_000; i++) {
            tx.set(key("k%05d".formatted(i)), bytes("x"));
          }
        });
    assertThat(find(firstGreaterOrEqual(key("k")).add(2_999))).isEqualTo("k02999");
    assertThat(find(firstGreaterOrEqual(key("k")).add(3_000))).isEqualTo("END");
    assertThat(find(lastLessThan(key("l")).add(-2_999))).isEqualTo("k00000");
    assertThat(find(lastLessThan(key("l")).add(-3_000))).isEmpty();
  }
}
