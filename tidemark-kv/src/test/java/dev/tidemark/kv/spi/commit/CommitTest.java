package dev.tidemark.kv.spi.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void othersConflictWithExactlyTheKeysThatAreNotQuiet(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2_000; round++) {
      KeyRanges quiet = new KeyRanges();
      for (int i = random.nextInt(6); i > 0; i--) {
        int begin = random.nextInt(100);
        Key from = key(begin);
        quiet.add(from, random.nextBoolean() ? from.next() : key(begin + 1 + random.nextInt(9)));
      }
      NavigableMap<Key, Write> writes = new TreeMap<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        writes.put(key(random.nextInt(110)), Write.CLEAR);
      }
      Commit commit =
          new Commit(
              -1,
              List.of(),
              List.of(),
              new TreeMap<>(),
              writes,
              List.of(),
              List.of(),
              quiet.view(),
              null);

      assertThat(commit.conflictingKeys())
          .containsExactlyElementsOf(
              writes.keySet().stream().filter(key -> !commit.isQuiet(key)).toList());
    }
  }

  private static Key key(int number) {
    return Key.of((byte) number);
  }
}
