package dev.tidemark.pulse.internal.pool.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JumpHashTest {
  private static final int[] BUCKETS = {1, 2, 3, 5, 8, 16, 100, 1000};

  @Test
  void hashIsCrc64OfXz() {
    assertThat(JumpHash.hash("123456789")).isEqualTo(0x995dc9bbdf1939faL);
    assertThat(JumpHash.hash("")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user:123 | 0 1 2 4 5 13 81 603",
        "email:1 | 0 1 1 4 4 4 82 336",
        "alpha | 0 0 2 2 2 2 75 130",
        "beta | 0 1 1 1 1 13 41 496",
        "job-42 | 0 0 0 0 0 13 33 712",
        "日本 | 0 0 2 4 6 12 19 978",
        "'' | 0 0 0 0 0 0 0 0"
      })
  void keyHasTheBucketsOfTheVector(String key, String expected) {
    String buckets =
        String.join(
            " ",
            IntStream.of(BUCKETS)
                .mapToObj(count -> "" + JumpHash.bucket(JumpHash.hash(key), count))
                .toList());

    assertThat(buckets).isEqualTo(expected);
  }
}
