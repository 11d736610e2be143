package dev.tidemark.records.query;

import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.AggregateSpec.Function;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate function over groups of records: their number, or the sum, the smallest, the largest
 * or the average value of a field. Values that are null do not count.
 *
 * @param <R> the Java class of the records
 * @param <V> the Java class of the result
 */
@SuppressWarnings("UnusedTypeParameter") // R keeps aggregates of different records apart
public final class Aggregate<R, V> {
  private final AggregateSpec spec;
  private final FieldType type;
  private final java.util.function.Function<Object, V> decoder;
  private final String name;

  private Aggregate(
      AggregateSpec spec,
      FieldType type,
      java.util.function.Function<Object, V> decoder,
      String name) {
    this.spec = spec;
    this.type = type;
    this.decoder = decoder;
    this.name = name;
  }

  private static <R, V> Aggregate<R, V> of(
      Function function, @Nullable Field<R, ?> field, java.util.function.Function<Object, V> own) {
    FieldType result =
        field == null ? FieldType.Scalar.LONG : AggregateSpec.resultOf(function, field.type());
    return new Aggregate<>(
        new AggregateSpec(function, Optional.ofNullable(field).map(Field::single)),
        result,
        own,
        "%s(%s)"
            .formatted(
                function.name().toLowerCase(Locale.ROOT), field == null ? "*" : field.name()));
  }

  /** How many records there are. */
  public static <R> Aggregate<R, Long> count() {
    return of(Function.COUNT, null, Long.class::cast);
  }

  /** How many records have a value in {@code field}. */
  public static <R> Aggregate<R, Long> count(Field<R, ?> field) {
    return of(Function.COUNT, field, Long.class::cast);
  }

  /**
   * The sum of {@code field}; 0 if there are no values. It is a {@link Long} for whole numbers, a
   * {@link Double} for floating point numbers, and a {@link BigInteger} or {@link BigDecimal} for
   * fields of those. A sum of whole numbers beyond the range of a long is an {@link
   * ArithmeticException}, also from an index of kind {@link IndexKind#SUM}.
   *
   * @throws IllegalArgumentException if the values are not numbers
   */
  public static <R> Aggregate<R, Number> sum(Field<R, ? extends Number> field) {
    FieldType result = AggregateSpec.resultOf(Function.SUM, field.type());
    return of(
        Function.SUM,
        field,
        element -> (Number) Objects.requireNonNull(KeyElements.value(result, element)));
  }

  /** The average of {@code field}; null if there are no values. */
  public static <R> Aggregate<R, Double> avg(Field<R, ? extends Number> field) {
    return of(Function.AVG, field, Double.class::cast);
  }

  /** The smallest value of {@code field}; null if there are none. */
  public static <R, V> Aggregate<R, V> min(Field<R, V> field) {
    return of(Function.MIN, field, field.requiredDecoder());
  }

  /** The largest value of {@code field}; null if there are none. */
  public static <R, V> Aggregate<R, V> max(Field<R, V> field) {
    return of(Function.MAX, field, field.requiredDecoder());
  }

  /** Groups for which it is {@code value}. */
  public Filter<Row> eq(V value) {
    return compare(Operator.EQ, value);
  }

  /** Groups for which it is not {@code value}. */
  public Filter<Row> ne(V value) {
    return compare(Operator.NE, value);
  }

  /** Groups for which it is before {@code value}. */
  public Filter<Row> lt(V value) {
    return compare(Operator.LT, value);
  }

  /** Groups for which it is {@code value} or before it. */
  public Filter<Row> le(V value) {
    return compare(Operator.LE, value);
  }

  /** Groups for which it is after {@code value}. */
  public Filter<Row> gt(V value) {
    return compare(Operator.GT, value);
  }

  /** Groups for which it is {@code value} or after it. */
  public Filter<Row> ge(V value) {
    return compare(Operator.GE, value);
  }

  private Filter<Row> compare(Operator operator, V value) {
    Object operand =
        Operands.element(name, type, spec.function() == Function.SUM ? sum(value) : value);
    return new Filter<>(new Condition.Compare(spec.key(), operator, new Operand.Value(operand)));
  }

  /** {@code value}, which may be any number, as a value of this sum. */
  private Object sum(V value) {
    try {
      BigDecimal exact = new BigDecimal(value.toString());
      return switch ((FieldType.Scalar) type) {
        case LONG -> exact.longValueExact();
        case DOUBLE -> exact.doubleValue();
        case BIG_INTEGER -> exact.toBigIntegerExact();
        default -> exact;
      };
    } catch (NumberFormatException | ArithmeticException unfit) {
      throw new IllegalArgumentException(
          "%s is of type %s and is compared with %s, which none of its values can be"
              .formatted(name, type, value),
          unfit);
    }
  }

  /** The ascending order of groups by this aggregate, nulls first. */
  public Sort.By<Row> asc() {
    return new Sort.By<>(new Ordering(spec.key(), false, true));
  }

  /** The descending order of groups by this aggregate, nulls last. */
  public Sort.By<Row> desc() {
    return new Sort.By<>(new Ordering(spec.key(), true, false));
  }

  AggregateSpec spec() {
    return spec;
  }

  @Nullable V decoded(@Nullable Object element) {
    return element == null ? null : decoder.apply(element);
  }

  @Override
  public String toString() {
    return name;
  }
}
