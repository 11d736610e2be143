package dev.tidemark.kv.spi.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaterClearsTest {
  /** Versions whose stamps begin with different bytes. */
  private static final long[] VERSIONS = {1, 2, 1L << 56, 2L << 56};

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aSetIsClearedIfARangeThatWasClearedLaterHoldsWhatItBecame(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2_000; round++) {
      LaterClears clears = new LaterClears();
      List<StampTemplate> sets = new ArrayList<>();
      List<List<KeyRange>> clearedAfter = new ArrayList<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        if (random.nextBoolean()) {
          StampTemplate set = template(random);
          clears.set(set);
          sets.add(set);
          clearedAfter.add(new ArrayList<>());
        } else {
          KeyRange range = range(random);
          clears.clear(range.begin(), range.end());
          clearedAfter.forEach(ranges -> ranges.add(range));
        }
      }
      check(clears, sets, clearedAfter);
    }
  }

  private static void check(
      LaterClears clears, List<StampTemplate> sets, List<List<KeyRange>> clearedAfter) {
    List<List<KeyRange>> sent = clears.bySet();
    for (int i = 0; i < sets.size(); i++) {
      List<KeyRange> sentAfter =
          sent.subList(i, sent.size()).stream().flatMap(List::stream).toList();
      for (long version : VERSIONS) {
        Key made = Key.wrap(sets.get(i).fill(version, 0));
        boolean wanted = holds(clearedAfter.get(i), made);
        assertThat(clears.setsBefore(made) > i).isEqualTo(wanted);
        assertThat(holds(sentAfter, made)).isEqualTo(wanted);
      }
    }
  }

  private static boolean holds(List<KeyRange> ranges, Key key) {
    return ranges.stream().anyMatch(range -> range.contains(key));
  }

  /** One whose stamp is at the beginning, or behind one of four bytes. */
  private static StampTemplate template(SplittableRandom random) {
    int offset = random.nextInt(2);
    byte[] withOffset = new byte[offset + 14];
    withOffset[0] = (byte) random.nextInt(4);
    withOffset[offset + 10] = (byte) offset;
    return StampTemplate.parse(withOffset);
  }

  private static KeyRange range(SplittableRandom random) {
    while (true) {
      Key begin = bound(random);
      Key end = bound(random);
      if (begin.compareTo(end) < 0) {
        return KeyRange.of(begin, end);
      }
    }
  }

  private static Key bound(SplittableRandom random) {
    Key first = Key.of((byte) random.nextInt(5));
    return switch (random.nextInt(3)) {
      case 0 -> first;
      case 1 -> first.append((byte) random.nextInt(4));
      default -> Key.wrap(template(random).fill(VERSIONS[random.nextInt(VERSIONS.length)], 0));
    };
  }
}
