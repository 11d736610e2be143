package dev.tidemark.embedded.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GapsTest {
  private static final int KEYS = 200;

  private final Gaps gaps = new Gaps();

  @Test
  void aGapThatGrewIsKnownToEarlierReadersAsItWas() {
    gaps.cleared(key(10), key(20), 5);
    gaps.cleared(key(20), key(30), 9);
    assertThat(found(gaps.at(key(15), 9))).isEqualTo("10..30");
    assertThat(found(gaps.at(key(15), 7))).isEqualTo("10..20");
    assertThat(gaps.at(key(25), 7)).isNull();
    assertThat(gaps.at(key(15), 4)).isNull();
  }

  @Test
  void aKeyThatIsSetCutsAGapInTwo() {
    gaps.cleared(key(10), key(30), 5);
    gaps.set(key(20));
    assertThat(found(gaps.at(key(15), 5))).isEqualTo("10..20");
    assertThat(gaps.at(key(20), 5)).isNull();
    assertThat(gaps.at(key(25), 5)).isNotNull();
  }

  @Test
  void whatWasSetDuringASearchIsNotInWhatItFinds() {
    try (Gaps.Search search = search(0, 100, false)) {
      gaps.set(key(40));
      search.found(key(10), key(60), 5, false);
    }
    assertThat(found(gaps.at(key(10), 5))).isEqualTo("10..40");
    try (Gaps.Search search = search(100, 200, true)) {
      gaps.set(key(140));
      search.found(key(110), key(160), 5, false);
    }
    assertThat(gaps.at(key(140), 5)).isNull();
    assertThat(gaps.at(key(150), 5)).isNotNull();
  }

  @Test
  void aReaderOfAVersionBeforeTheOneBeingToldIsOfNoUse() {
    gaps.writing(7);
    try (Gaps.Search search = search(0, 100, false)) {
      assertThat(search.isFor(6)).isFalse();
      assertThat(search.isFor(7)).isTrue();
    }
  }

  @Test
  void appendingToAGapDoesNotLeaveOneBehindEachKey() {
    gaps.cleared(key(0), key(KEYS), 5);
    for (int i = 10; i < 100; i++) {
      gaps.set(key(i));
    }
    assertThat(found(gaps.at(key(5), 5))).isEqualTo("0..10");
    for (int i = 11; i < 99; i++) {
      assertThat(gaps.at(Gaps.after(key(i)), 5)).isNull();
    }
    assertThat(gaps.at(key(150), 5)).isNotNull();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noVersionHasAValueInAGap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<BitSet> versions = new ArrayList<>();
    BitSet values = new BitSet();
    values.set(0, KEYS);
    versions.add(values);
    for (int version = 1; version < 500; version++) {
      values = (BitSet) values.clone();
      gaps.writing(version);
      int from = random.nextInt(KEYS);
      int to = Math.min(KEYS, from + 1 + random.nextInt(40));
      if (random.nextBoolean()) {
        values.clear(from, to);
        gaps.cleared(key(from), key(to), version);
      } else {
        values.set(from);
        gaps.set(key(from));
      }
      versions.add(values);
      for (int reader = Math.max(0, version - 20); reader <= version; reader++) {
        for (int key = 0; key < KEYS; key++) {
          if (gaps.at(key(key), reader) != null) {
            assertThat(versions.get(reader).get(key)).as("%d at %d", key, reader).isFalse();
          }
        }
      }
    }
  }

  private Gaps.Search search(int from, int to, boolean reverse) {
    return Objects.requireNonNull(gaps.search(key(from), key(to), reverse));
  }

  private static String found(@Nullable Gap found) {
    Gap gap = Objects.requireNonNull(found);
    return ByteBuffer.wrap(gap.begin()).getInt() + ".." + ByteBuffer.wrap(gap.end()).getInt();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }
}
