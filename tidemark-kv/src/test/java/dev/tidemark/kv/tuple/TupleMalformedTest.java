package dev.tidemark.kv.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.internal.TupleCode;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are no tuple. */
class TupleMalformedTest {
  @ParameterizedTest(name = "{0}: {2} at byte {1}")
  @CsvSource({
    "ff,          0, there is no type with the code ff",
    "152a25,      2, there is no type with the code 25",
    "1403,        1, there is no type with the code 03",
    "15,          0, an integer needs 1 bytes and there are 0 left",
    "1c01020304,  0, an integer needs 8 bytes and there are 4 left",
    "160001,      0, an integer has more bytes than it needs",
    "12fffe,      0, an integer has more bytes than it needs",
    "1d08ffffffffffffffff,     0, an integer has more bytes than it needs",
    "1d0900ffffffffffffffff,   0, an integer has more bytes than it needs",
    "0bf6ff0000000000000000,   0, an integer has more bytes than it needs",
    "1d,          0, an integer needs 1 bytes and there are 0 left",
    "1d0901,      0, an integer needs 10 bytes and there are 2 left",
    "016161,      0, a byte string without an end begins",
    "0100ff,      0, a byte string without an end begins",
    "14026161,    1, a string without an end begins",
    "02c000,      1, the string is not UTF-8",
    "02c080,      1, the string is not UTF-8",
    "02eda08000,  1, the string is not UTF-8",
    "02f490808000, 1, the string is not UTF-8",
    "0261e28200,  2, the string is not UTF-8",
    "02e082a000,  1, the string is not UTF-8",
    "02e2,        1, the string is not UTF-8",
    "051401,      2, a byte string without an end begins",
    "05,          0, a nested tuple without an end begins",
    "0500ff,      0, a nested tuple without an end begins",
    "20000000,    0, a float needs 4 bytes and there are 3 left",
    "21,          0, a double needs 8 bytes and there are 0 left",
    "3000,        0, a UUID needs 16 bytes and there are 1 left",
    "33ffff,      0, a versionstamp needs 12 bytes and there are 2 left",
  })
  void theErrorSaysWhatIsWrongAndWhere(String hex, int offset, String problem) {
    assertThatExceptionOfType(MalformedTupleException.class)
        .isThrownBy(() -> Tuple.unpack(Key.hex(hex)))
        .withMessage("Not a tuple: %s at byte %d", problem, offset)
        .satisfies(failure -> assertThat(failure.offset()).isEqualTo(offset));
  }

  @Test
  void nestingWithoutEndDoesNotOverflowTheStack() {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, TupleCode.NESTED);
    assertThatExceptionOfType(MalformedTupleException.class)
        .isThrownBy(() -> Tuple.unpack(bytes))
        .withMessage("Not a tuple: more than 1,000 tuples are inside each other at byte 1000");
    assertThat(Key.of(bytes).toString()).startsWith("\\x05\\x05");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void anyBytesAreATupleThatPacksToThemOrMalformed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomTuples tuples = new RandomTuples(seed);
    int read = 0;
    for (int i = 0; i < 30_000; i++) {
      byte[] bytes = damaged(Tuple.copyOf(tuples.elements()).pack(), random);
      Throwable failure =
          catchThrowable(
              () -> {
                Tuple tuple = Tuple.unpack(bytes);
                assertThat(Tuple.copyOf(tuple.toList())).isEqualTo(tuple);
              });
      if (failure == null) {
        read++;
      } else {
        assertThat(failure)
            .as("%s, round %d", Key.of(bytes).toHex(), i)
            .isInstanceOf(MalformedTupleException.class);
      }
      assertThat(Key.of(bytes).toString()).isNotEmpty();
    }
    assertThat(read).isBetween(1_000, 29_000);
  }

  private static byte[] damaged(byte[] packed, SplittableRandom random) {
    byte[] bytes = packed;
    int changes = random.nextInt(3);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] = (byte) random.nextInt(0x34);
        default -> bytes = Arrays.copyOf(bytes, at);
      }
    }
    return bytes;
  }
}
