package dev.tidemark.kv.spi.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.spi.commit.Write.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTest {
  private static final Key KEY = Key.utf8("count");
  private static final byte[] ZERO = new byte[2];
  private static final byte[] NOTHING = {};

  /** Short values, so that what is appended often does not fit. */
  private static final Limits LIMITS = Limits.DEFAULTS.withValueBytes(5);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void mutationsTakenTogetherDoWhatTheyDoOneByOne(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 5_000; round++) {
      byte[] stored = random.nextInt(3) == 0 ? null : bytes(random);
      Optional<byte[]> wanted = Optional.ofNullable(stored);
      Operation first = operation(random);
      Write.Mutate together = new Write.Mutate(first);
      wanted = first.type().apply(wanted, first.operand(), LIMITS);
      for (int i = random.nextInt(8); i > 0; i--) {
        Operation next = operation(random);
        together = together.then(next, LIMITS);
        wanted = next.type().apply(wanted, next.operand(), LIMITS);
      }
      assertThat(together.applyTo(stored, KEY, LIMITS))
          .as("round %d: %s", round, together)
          .isEqualTo(wanted.orElse(null));
    }
  }

  @Test
  void countThatIsClearedAtZeroStaysShort() {
    Write.Mutate count = new Write.Mutate(new Operation(MutationType.ADD, ZERO));
    for (int i = 0; i < 100; i++) {
      count = count.then(new Operation(MutationType.ADD, new byte[] {1, 0}), Limits.DEFAULTS);
      count = count.then(new Operation(MutationType.COMPARE_AND_CLEAR, ZERO), Limits.DEFAULTS);
    }
    assertThat(count.operations()).hasSize(2);
    assertThat(count.applyTo(null, KEY, Limits.DEFAULTS)).isEqualTo(new byte[] {100, 0});
  }

  @Test
  void manyMutationsThatCannotBeTakenTogetherAreAsQuickAsFew() {
    Write.Mutate many = new Write.Mutate(new Operation(MutationType.ADD, ZERO));
    byte[] one = {1};
    assertTimeout(
        Duration.ofSeconds(20),
        () -> {
          Write.Mutate all = many;
          for (int i = 0; i < 300_000; i++) {
            all = all.then(new Operation(MutationType.APPEND_IF_FITS, one), Limits.DEFAULTS);
            all = all.then(new Operation(MutationType.COMPARE_AND_CLEAR, ZERO), Limits.DEFAULTS);
          }
          assertThat(all.applyTo(null, KEY, Limits.DEFAULTS)).hasSize(100_000);
        });
  }

  @Test
  void mutationsThatCannotBeTakenTogetherCountEvenWithoutOperands() {
    Write.Mutate all = new Write.Mutate(new Operation(MutationType.COMPARE_AND_CLEAR, NOTHING));
    assertThat(all.size()).isZero();
    for (int i = 0; i < 100; i++) {
      all = all.then(new Operation(MutationType.APPEND_IF_FITS, NOTHING), Limits.DEFAULTS);
      all = all.then(new Operation(MutationType.COMPARE_AND_CLEAR, NOTHING), Limits.DEFAULTS);
    }
    assertThat(all.size()).isGreaterThanOrEqualTo(200 * 32);
  }

  @Test
  void mutationsThatChangeNothingAreNotKept() {
    Write.Mutate append = new Write.Mutate(new Operation(MutationType.APPEND_IF_FITS, ZERO));
    assertThat(append.then(new Operation(MutationType.APPEND_IF_FITS, NOTHING), LIMITS))
        .isSameAs(append);
    Write.Mutate clear = new Write.Mutate(new Operation(MutationType.COMPARE_AND_CLEAR, ZERO));
    assertThat(clear.then(new Operation(MutationType.COMPARE_AND_CLEAR, new byte[2]), LIMITS))
        .isSameAs(clear);
  }

  private static Operation operation(SplittableRandom random) {
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> new Operation(MutationType.ADD, bytes(random));
      case 3, 4 -> new Operation(MutationType.COMPARE_AND_CLEAR, ZERO);
      case 5 -> new Operation(MutationType.COMPARE_AND_CLEAR, bytes(random));
      case 6 -> new Operation(MutationType.MAX, bytes(random));
      case 7, 8, 9 -> new Operation(MutationType.APPEND_IF_FITS, bytes(random));
      case 10 -> new Operation(MutationType.APPEND_IF_FITS, NOTHING);
      case 11 -> new Operation(MutationType.BYTE_MAX, bytes(random));
      case 12 -> new Operation(MutationType.BYTE_MIN, bytes(random));
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
