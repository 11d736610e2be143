package dev.tidemark.records.internal.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.statistics.Histogram.Bucket;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a histogram of one bucket says of ranges in it. */
class HistogramTest {
  private static final double ROWS = 1_000_000;

  /** Numbers from -300,000 to 699,999, each once. */
  private static Histogram ascending() {
    return new Histogram(
        List.of(new Bucket(Tuple.of("a", -300_000L), Tuple.of("a", 699_999L), ROWS)));
  }

  private static Histogram descending() {
    return new Histogram(
        List.of(
            new Bucket(
                Tuple.of("a", KeyElements.descending(699_999L)),
                Tuple.of("a", KeyElements.descending(-300_000L)),
                ROWS)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 877",
    "-877, 0",
    "255, 256",
    "-256, -255",
    "65_535, 65_536",
    "-300_000, 699_999",
    "-1, 70_000",
    "5, 5",
    "690_000, 1_000_000_000_000",
    "-70_000_000_000, -299_001"
  })
  void rangesOverNumbersOfDifferentLengthsAreJudgedByTheNumbers(String from, String to) {
    long first = Long.parseLong(from.replace("_", ""));
    long last = Long.parseLong(to.replace("_", ""));
    double actual = Math.min(last, 699_999) - Math.max(first, -300_000) + 1;

    assertThat(ascending().fraction(pack(first), Histogram.past(pack(last))) * ROWS)
        .as("ascending")
        .isCloseTo(actual, within(0.5));
    assertThat(
            descending().fraction(packDescending(last), Histogram.past(packDescending(first)))
                * ROWS)
        .as("descending")
        .isCloseTo(actual, within(0.5));
  }

  @ParameterizedTest
  @ValueSource(longs = {-300_000, -65_536, -256, -1, 0, 1, 255, 256, 65_535, 65_536, 699_999})
  void openRangesPartTheRows(long number) {
    byte[] begin = {};
    byte[] end = {(byte) 0xff};
    double below = ascending().fraction(begin, pack(number));
    assertThat(below + ascending().fraction(pack(number), end)).isCloseTo(1, within(1e-9));
    double above = descending().fraction(begin, packDescending(number));
    assertThat(below * ROWS + above * ROWS + 1).isCloseTo(ROWS, within(0.5));
  }

  private static byte[] pack(long number) {
    return Tuple.of("a", number).pack();
  }

  private static byte[] packDescending(long number) {
    return Tuple.of("a", KeyElements.descending(number)).pack();
  }
}
