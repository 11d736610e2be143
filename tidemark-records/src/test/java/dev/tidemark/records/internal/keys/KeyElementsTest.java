package dev.tidemark.records.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import dev.tidemark.testkit.junit.SeedSource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values keep their order, and themselves, as elements of keys. */
class KeyElementsTest {
  @ParameterizedTest
  @MethodSource("ascending")
  void elementsSortAsTheirValuesAndAreReadBack(FieldType type, List<?> values) {
    List<Tuple> tuples = new ArrayList<>();
    for (Object value : values) {
      Object element = KeyElements.element(type, value);
      tuples.add(Tuple.of(element));
      assertThat(KeyElements.value(type, element)).isEqualTo(value);
    }

    assertThat(tuples).isSorted();
    assertThat(tuples).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("ascending")
  void descendingElementsSortTheOtherWayAndAreReadBack(FieldType type, List<?> values) {
    List<Tuple> tuples = new ArrayList<>();
    for (Object value : values) {
      Object element = KeyElements.element(type, value);
      byte[] inverted = KeyElements.descending(element);
      tuples.add(Tuple.of((Object) inverted));
      assertThat(KeyElements.value(type, KeyElements.ascending(inverted))).isEqualTo(value);
    }
    Collections.reverse(tuples);

    assertThat(tuples).isSorted();
  }

  private enum Light {
    RED,
    GREEN
  }

  private enum Wine {
    WHITE,
    RED
  }

  @Test
  void constantOfAnotherEnumIsRefusedWithItsNameAndClass() {
    FieldType lights = new FieldType.Constants("Light", List.of("RED", "GREEN"));

    assertThat(KeyElements.given("Lamp.light", lights, Light.GREEN)).isEqualTo(1L);
    assertThat(KeyElements.given("Lamp.light", lights, "GREEN")).isEqualTo(1L);
    for (Wine wine : Wine.values()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> KeyElements.given("Lamp.light", lights, wine))
          .withMessageContaining("Lamp.light")
          .withMessageContaining(wine.name())
          .withMessageContaining(Wine.class.getName());
    }
  }

  static Stream<Arguments> ascending() {
    return Stream.of(
        Arguments.of(Scalar.LONG, List.of(Long.MIN_VALUE, -256L, -1L, 0L, 255L, Long.MAX_VALUE)),
        Arguments.of(Scalar.INT, List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE)),
        Arguments.of(Scalar.CHAR, List.of('\0', 'a', '\uffff')),
        Arguments.of(Scalar.BOOLEAN, List.of(false, true)),
        Arguments.of(
            Scalar.DOUBLE, List.of(Double.NEGATIVE_INFINITY, -1.5, -0.0, 0.0, 1e-300, 7.0)),
        Arguments.of(Scalar.STRING, List.of("", "\0", "a", "a\0b", "ab", "b", "é")),
        Arguments.of(
            Scalar.BIG_INTEGER,
            List.of(
                BigInteger.TEN.pow(30).negate(),
                BigInteger.valueOf(-1),
                BigInteger.ZERO,
                BigInteger.TWO.pow(64))),
        Arguments.of(
            Scalar.DECIMAL,
            Stream.of(
                    "-1E+20", "-12", "-1.5", "-1", "-0.001", "0", "1E-9", "0.5", "1", "1.5", "9",
                    "12", "1E+20")
                .map(BigDecimal::new)
                .toList()),
        Arguments.of(
            Scalar.INSTANT,
            List.of(
                Instant.MIN,
                Instant.EPOCH.minusNanos(1),
                Instant.EPOCH,
                Instant.ofEpochSecond(1, 999_999_999),
                Instant.MAX)),
        Arguments.of(Scalar.DATE, List.of(LocalDate.MIN, LocalDate.EPOCH, LocalDate.MAX)),
        Arguments.of(
            Scalar.DATE_TIME,
            List.of(
                LocalDateTime.of(-5, 1, 1, 0, 0),
                LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_999),
                LocalDateTime.of(1970, 1, 1, 0, 0),
                LocalDateTime.of(9999, 12, 31, 23, 59))),
        Arguments.of(
            Scalar.DURATION,
            List.of(
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofMillis(-1),
                Duration.ZERO,
                Duration.ofSeconds(Long.MAX_VALUE))));
  }

  @ParameterizedTest
  @SeedSource
  void decimalNumbersSortAsNumbers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BigDecimal[] values = new BigDecimal[400];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(-20, 20));
    }
    BigDecimal[] byBytes = values.clone();
    Arrays.sort(
        byBytes,
        (one, other) ->
            Arrays.compareUnsigned(DecimalOrder.encode(one), DecimalOrder.encode(other)));
    for (int i = 1; i < byBytes.length; i++) {
      assertThat(byBytes[i]).isGreaterThanOrEqualTo(byBytes[i - 1]);
    }
    for (BigDecimal value : values) {
      assertThat(DecimalOrder.decode(DecimalOrder.encode(value))).isEqualByComparingTo(value);
    }
  }
}
