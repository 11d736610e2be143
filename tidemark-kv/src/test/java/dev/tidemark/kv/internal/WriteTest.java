package dev.tidemark.kv.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.internal.Write.Operation;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTest {
  private static final Key KEY = Key.utf8("count");
  private static final byte[] ZERO = new byte[2];

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void mutationsTakenTogetherDoWhatTheyDoOneByOne(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 5_000; round++) {
      byte[] stored = random.nextInt(3) == 0 ? null : bytes(random);
      Optional<byte[]> wanted = Optional.ofNullable(stored);
      Operation first = operation(random);
      Write.Mutate together = new Write.Mutate(List.of(first));
      wanted = first.type().apply(wanted, first.operand(), Limits.DEFAULTS);
      for (int i = random.nextInt(8); i > 0; i--) {
        Operation next = operation(random);
        together = together.then(next, Limits.DEFAULTS);
        wanted = next.type().apply(wanted, next.operand(), Limits.DEFAULTS);
      }
      assertThat(together.applyTo(stored, KEY, Limits.DEFAULTS))
          .as("round %d: %s", round, together)
          .isEqualTo(wanted.orElse(null));
    }
  }

  @Test
  void countThatIsClearedAtZeroStaysShort() {
    Write.Mutate count = new Write.Mutate(List.of(new Operation(MutationType.ADD, ZERO)));
    for (int i = 0; i < 100; i++) {
      count = count.then(new Operation(MutationType.ADD, new byte[] {1, 0}), Limits.DEFAULTS);
      count = count.then(new Operation(MutationType.COMPARE_AND_CLEAR, ZERO), Limits.DEFAULTS);
    }
    assertThat(count.operations()).hasSize(2);
    assertThat(count.applyTo(null, KEY, Limits.DEFAULTS)).isEqualTo(new byte[] {100, 0});
  }

  private static Operation operation(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> new Operation(MutationType.ADD, bytes(random));
      case 3, 4 -> new Operation(MutationType.COMPARE_AND_CLEAR, ZERO);
      case 5 -> new Operation(MutationType.COMPARE_AND_CLEAR, bytes(random));
      case 6 -> new Operation(MutationType.MAX, bytes(random));
      default -> new Operation(MutationType.BIT_AND, bytes(random));
    };
  }

  /** Few values, so that sums meet zero often; of two bytes, seldom of one or three. */
  private static byte[] bytes(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(10) == 0 ? 1 + 2 * random.nextInt(2) : 2];
    int value = random.nextInt(-2, 3);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (value >> (8 * i));
    }
    return bytes;
  }
}
