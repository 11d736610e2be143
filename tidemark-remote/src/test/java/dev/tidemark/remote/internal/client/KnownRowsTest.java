package dev.tidemark.remote.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.transport.PackedRows;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownRowsTest {
  private static final int PART = 8 << 10;

  private final KnownRows known = new KnownRows(10 * PART);

  private static Key key(int number) {
    return Key.utf8("%03d".formatted(number));
  }

  private void add(int from, int to, long version) {
    known.add(
        key(from), key(to), version, to - from, new PackedRows.Reader(new byte[PART], 0, PART));
  }

  private List<String> find(int from, int to) {
    return known.find(key(from), key(to), Integer.MAX_VALUE).stream()
        .map(part -> part.begin() + "-" + part.end() + "@" + part.version())
        .toList();
  }

  private static String part(int from, int to, long version) {
    return key(from) + "-" + key(to) + "@" + version;
  }

  @Test
  void partsAreFoundUpToTheFirstGap() {
    add(10, 20, 1);
    add(20, 30, 2);
    add(40, 50, 3);
    assertThat(find(15, 99)).containsExactly(part(10, 20, 1), part(20, 30, 2));
    assertThat(find(30, 99)).isEmpty();
    assertThat(known.gapEnd(key(30), key(99))).isEqualTo(key(40));
    assertThat(known.gapEnd(key(30), key(35))).isEqualTo(key(35));
    assertThat(known.gapEnd(key(50), key(99))).isEqualTo(key(99));
  }

  @Test
  void partBeyondTheEndOfAScanIsOfNoUseToIt() {
    add(10, 20, 1);
    assertThat(find(10, 19)).isEmpty();
    assertThat(find(10, 20)).hasSize(1);
  }

  @Test
  void scanForFewRowsLooksAtFewParts() {
    add(10, 20, 1);
    add(20, 30, 1);
    add(30, 40, 1);
    assertThat(known.find(key(10), key(99), 5)).hasSize(1);
    assertThat(known.find(key(15), key(99), 5)).hasSize(2);
  }

  @Test
  void laterPartTakesThePlaceOfThoseThatItTouches() {
    add(10, 20, 1);
    add(20, 30, 1);
    add(30, 40, 1);
    add(15, 25, 2);
    assertThat(find(10, 99)).isEmpty();
    assertThat(find(15, 99)).containsExactly(part(15, 25, 2));
    assertThat(find(30, 99)).containsExactly(part(30, 40, 1));
  }

  @Test
  void partThatWasConfirmedIsAsOfThen() {
    add(10, 20, 1);
    known.confirmed(known.find(key(10), key(99), 1).getFirst(), 7);
    assertThat(find(10, 99)).containsExactly(part(10, 20, 7));
  }

  @Test
  void partThatIsOutOfDateIsForgotten() {
    add(10, 20, 1);
    known.forget(known.find(key(10), key(99), 1).getFirst());
    assertThat(find(10, 99)).isEmpty();
    assertThat(known.size()).isZero();
  }

  @Test
  void thereIsNeverMoreThanIsAllowedAndWhatIsUsedStays() {
    for (int i = 0; i < 300; i++) {
      add(i, i + 1, 1);
      known.find(key(0), key(1), 1);
      assertThat(known.size()).isPositive().isLessThanOrEqualTo(10 * PART);
    }
    assertThat(find(0, 1)).hasSize(1);
    assertThat(find(299, 300)).hasSize(1);
  }

  @Test
  void nothingIsKeptWithoutMemoryForIt() {
    KnownRows none = new KnownRows(0);
    none.add(key(1), key(2), 1, 1, new PackedRows.Reader(new byte[PART], 0, PART));
    assertThat(none.find(key(1), key(2), 1)).isEmpty();
  }
}
