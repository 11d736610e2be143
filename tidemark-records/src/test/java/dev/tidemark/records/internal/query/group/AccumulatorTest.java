package dev.tidemark.records.internal.query.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.schema.FieldType.Scalar;
import java.math.BigDecimal;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Aggregates that are made by going through records. */
class AccumulatorTest {
  private static Object element(String number) {
    return Objects.requireNonNull(KeyElements.element(Scalar.DECIMAL, new BigDecimal(number)));
  }

  @Test
  void sumThatFitsALongIsExactThoughItsFirstPartsDoNot() {
    Accumulator sum = Accumulator.of(AggregateSpec.Function.SUM, Scalar.LONG, () -> "score");
    sum.add(Long.MAX_VALUE);
    sum.add(Long.MAX_VALUE);
    sum.add(-Long.MAX_VALUE);
    sum.add(-7L);
    assertThat(sum.result()).isEqualTo(Long.MAX_VALUE - 7);
  }

  @Test
  void sumBeyondALongIsRefusedWithItsValue() {
    Accumulator sum = Accumulator.of(AggregateSpec.Function.SUM, Scalar.LONG, () -> "score");
    sum.add(Long.MAX_VALUE);
    sum.add(1L);
    assertThatThrownBy(sum::result)
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("A sum of 'score' is 9,223,372,036,854,775,808");
  }

  @Test
  void decimalsWithFarExponentsAreRefusedAtOnce() {
    Accumulator sum = Accumulator.of(AggregateSpec.Function.SUM, Scalar.DECIMAL, () -> "score");
    sum.add(element("1E+1000000000"));
    assertThatThrownBy(() -> sum.add(element("1E-1000000000")))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("A sum of 'score' would have")
        .hasMessageContaining("the limit is 100,000");
  }

  @Test
  void decimalZeroOfAFarExponentAddsNothing() {
    Accumulator sum = Accumulator.of(AggregateSpec.Function.SUM, Scalar.DECIMAL, () -> "score");
    sum.add(element("0E-1000000000"));
    sum.add(element("1.5"));
    sum.add(element("2.25"));
    sum.add(element("0E+1000000000"));
    assertThat((BigDecimal) KeyElements.value(Scalar.DECIMAL, sum.result()))
        .isEqualByComparingTo("3.75");
  }

  @Test
  void distinctValuesAreCountedOnce() {
    Accumulator count =
        Accumulator.of(AggregateSpec.Function.COUNT_DISTINCT, Scalar.STRING, () -> "score");
    count.add("a");
    count.add("b");
    count.add("a");
    count.add(null);
    assertThat(count.result()).isEqualTo(2L);
  }
}
