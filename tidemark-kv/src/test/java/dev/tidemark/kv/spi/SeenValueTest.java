package dev.tidemark.kv.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenValueTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 32, 64, 65, 100_000})
  void valueIsToldFromEveryOther(int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) 7);
    byte[] other = value.clone();
    other[length - 1]++;
    assertThat(fires(value, value.clone())).isFalse();
    assertThat(fires(value, other)).isTrue();
    assertThat(fires(value, Arrays.copyOf(value, length - 1))).isTrue();
    assertThat(fires(value, Arrays.copyOf(value, length + 1))).isTrue();
    assertThat(fires(value, null)).isTrue();
    assertThat(fires(null, value)).isTrue();
  }

  @Test
  void noValueIsToldFromAnEmptyOne() {
    assertThat(fires(null, new byte[0])).isTrue();
    assertThat(fires(new byte[0], null)).isTrue();
    assertThat(fires(null, null)).isFalse();
    assertThat(fires(new byte[0], new byte[0])).isFalse();
  }

  /** Ten thousand watches on the longest value would hold a gigabyte. */
  @Test
  void watchDoesNotKeepALongValue() {
    byte @Nullable [] value = new byte[100_000];
    WeakReference<byte[]> gone = new WeakReference<>(value);
    KeyWatch watch = new KeyWatch(Key.utf8("a"), value, ended -> {});
    value = null;
    for (int i = 0; i < 100 && gone.get() != null; i++) {
      System.gc();
    }
    assertThat(gone.get()).isNull();
    assertThat(watch.isOpen()).isTrue();
  }

  private static boolean fires(byte @Nullable [] seen, byte @Nullable [] now) {
    KeyWatch watch = new KeyWatch(Key.utf8("a"), seen, ended -> {});
    watch.check(now);
    return watch.fired();
  }
}
