package dev.tidemark.records.internal.query.group;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FieldType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The accumulator of one aggregate of one group. */
interface Accumulator {
  /** Adds the element of a record; null where it has none. */
  void add(@Nullable Object element);

  /** The result as an element; null if there is none. */
  @Nullable Object result();

  /**
   * The accumulator of {@code function} of a column.
   *
   * @param type the type of the column; null for the count of records
   * @param name the name of the column, for messages
   */
  static Accumulator of(
      AggregateSpec.Function function, @Nullable FieldType type, Supplier<String> name) {
    if (type == null) {
      return new Count(true);
    }
    return switch (function) {
      case COUNT -> new Count(false);
      case COUNT_DISTINCT -> new CountDistinct();
      case MIN -> new Extremum(-1);
      case MAX -> new Extremum(1);
      case SUM -> sum(type, name);
      case AVG ->
          AggregateSpec.resultOf(AggregateSpec.Function.SUM, type) == Scalar.LONG
              ? new LongAverage(name)
              : new Average(sum(type, name), type);
    };
  }

  private static Accumulator sum(FieldType type, Supplier<String> name) {
    return switch ((Scalar) AggregateSpec.resultOf(AggregateSpec.Function.SUM, type)) {
      case LONG -> new LongSum(name);
      case DOUBLE -> new DoubleSum();
      case BIG_INTEGER -> new BigSum();
      case DECIMAL -> new DecimalSum(name);
      case BOOLEAN,
          BYTE,
          SHORT,
          INT,
          CHAR,
          FLOAT,
          STRING,
          BYTES,
          UUID,
          INSTANT,
          DATE,
          DATE_TIME,
          DURATION ->
          throw new AssertionError(type);
    };
  }

  /** A count, with or without nulls. */
  final class Count implements Accumulator {
    private final boolean withNulls;
    private long count;

    Count(boolean withNulls) {
      this.withNulls = withNulls;
    }

    @Override
    public void add(@Nullable Object element) {
      if (withNulls || element != null) {
        count++;
      }
    }

    @Override
    public Object result() {
      return count;
    }
  }

  /** A count of distinct values. */
  final class CountDistinct implements Accumulator {
    private final Set<Tuple> seen = new HashSet<>();

    @Override
    public void add(@Nullable Object element) {
      if (element != null
          && seen.add(KeyElements.alike(element))
          && seen.size() > GroupQuery.GROUPS_MAX) {
        throw new IllegalStateException(
            "More than %,d different values are counted, which is as many as are kept in memory. Ask for fewer with a filter"
                .formatted(GroupQuery.GROUPS_MAX));
      }
    }

    @Override
    public Object result() {
      return (long) seen.size();
    }
  }

  /** The smallest or the largest value. */
  final class Extremum implements Accumulator {
    private final int sign;
    private @Nullable Object best;

    Extremum(int sign) {
      this.sign = sign;
    }

    @Override
    public void add(@Nullable Object element) {
      if (element != null
          && (best == null || Integer.signum(ElementOrder.compare(element, best)) == sign)) {
        best = element;
      }
    }

    @Override
    public @Nullable Object result() {
      return best;
    }
  }

  /** The sum of whole numbers. */
  final class LongSum implements Accumulator {
    private final Supplier<String> name;
    private BigInteger carried = BigInteger.ZERO;
    private long sum;

    LongSum(Supplier<String> name) {
      this.name = name;
    }

    /** Intermediate sums may exceed a long, so that the result does not depend on the order. */
    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        long value = ((Number) element).longValue();
        long next = sum + value;
        if (((sum ^ next) & (value ^ next)) < 0) { // beyond a long
          carried = carried.add(BigInteger.valueOf(sum));
          next = value;
        }
        sum = next;
      }
    }

    @Override
    public Object result() {
      BigInteger all = exact();
      if (all.bitLength() >= Long.SIZE) {
        throw new ArithmeticException(
            "A sum of '%s' is %,d, which is beyond the range of a long. Ask for smaller groups"
                .formatted(name.get(), all));
      }
      return all.longValue();
    }

    private BigInteger exact() {
      return carried.add(BigInteger.valueOf(sum));
    }
  }

  /** The sum of floating point numbers. */
  final class DoubleSum implements Accumulator {
    private double sum;

    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        sum += ((Number) element).doubleValue();
      }
    }

    @Override
    public Object result() {
      return sum;
    }
  }

  /** The sum of whole numbers of any size. */
  final class BigSum implements Accumulator {
    private BigInteger sum = BigInteger.ZERO;

    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        sum =
            sum.add(
                (BigInteger)
                    Objects.requireNonNull(KeyElements.value(Scalar.BIG_INTEGER, element)));
      }
    }

    @Override
    public Object result() {
      return sum;
    }
  }

  /** The sum of decimal numbers. */
  final class DecimalSum implements Accumulator {
    /** The largest number of digits of a sum, from its highest to its lowest power of ten. */
    private static final long DIGITS_MAX = 100_000;

    private final Supplier<String> name;
    private BigDecimal sum = BigDecimal.ZERO;

    DecimalSum(Supplier<String> name) {
      this.name = name;
    }

    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        BigDecimal next =
            (BigDecimal) Objects.requireNonNull(KeyElements.value(Scalar.DECIMAL, element));
        if (next.signum() != 0 && sum.signum() != 0) {
          checkDigits(next);
        }
        sum = sum.signum() == 0 ? next : next.signum() == 0 ? sum : sum.add(next);
      }
    }

    private void checkDigits(BigDecimal next) {
      long highest = Math.max(highest(sum), highest(next));
      long lowest = Math.min(-(long) sum.scale(), -(long) next.scale());
      if (highest - lowest > DIGITS_MAX) {
        throw new ArithmeticException(
            "A sum of '%s' would have %,d digits, among them one of the order of 1E%+d and one of 1E%+d; the limit is %,d. Leave out what is too large or too small, or round it"
                .formatted(name.get(), highest - lowest, highest(sum), highest(next), DIGITS_MAX));
      }
    }

    private static long highest(BigDecimal number) {
      return (long) number.precision() - number.scale();
    }

    @Override
    public @Nullable Object result() {
      return KeyElements.element(Scalar.DECIMAL, sum);
    }
  }

  /** The average of whole numbers, exact and divided as an index of kind AVERAGE does. */
  final class LongAverage implements Accumulator {
    private final LongSum sum;
    private long count;

    LongAverage(Supplier<String> name) {
      this.sum = new LongSum(name);
    }

    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        sum.add(element);
        count++;
      }
    }

    @Override
    public @Nullable Object result() {
      return count == 0
          ? null
          : (Object)
              new BigDecimal(sum.exact())
                  .divide(BigDecimal.valueOf(count), MathContext.DECIMAL128)
                  .doubleValue();
    }
  }

  /** A sum divided by the number of its values. */
  final class Average implements Accumulator {
    private final Accumulator sum;
    private final FieldType type;
    private long count;

    Average(Accumulator sum, FieldType type) {
      this.sum = sum;
      this.type = type;
    }

    @Override
    public void add(@Nullable Object element) {
      if (element != null) {
        sum.add(element);
        count++;
      }
    }

    @Override
    public @Nullable Object result() {
      Object total = count == 0 ? null : sum.result();
      if (total == null) {
        return null;
      }
      Object number =
          KeyElements.value(AggregateSpec.resultOf(AggregateSpec.Function.SUM, type), total);
      return ((Number) Objects.requireNonNull(number)).doubleValue() / count;
    }
  }
}
