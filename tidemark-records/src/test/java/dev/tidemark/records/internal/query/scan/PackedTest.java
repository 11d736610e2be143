package dev.tidemark.records.internal.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.tuple.MalformedTupleException;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class PackedTest {
  private static final List<String> TEXTS =
      List.of("", "a", "Oslo 7", "\0", "a\0b", "é", "日本", "😀");

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void elementIsWhatATupleHas(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      @Nullable Object[] elements = {
        TEXTS.get(random.nextInt(TEXTS.size())),
        random.nextLong() >> random.nextInt(64),
        (long) random.nextInt(3) - 1,
        random.nextDouble(),
        random.nextBoolean(),
        null
      };
      int place = random.nextInt(elements.length);
      byte[] bytes = Tuple.of(elements).pack();
      int from = Packed.end(bytes, 0, place);
      int to = Packed.end(bytes, from);
      assertThat(Packed.element(bytes, from, to)).isEqualTo(elements[place]);
    }
  }

  @Test
  void textThatIsNoUtf8IsRefused() {
    byte[] bytes = {0x02, 'a', (byte) 0xc0, 0};
    assertThatThrownBy(() -> Packed.element(bytes, 0, bytes.length))
        .isInstanceOf(MalformedTupleException.class);
  }
}
