package dev.tidemark.records.query;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A typed handle of a field of a record type, for indexes and queries: {@code User_.CITY}. The
 * annotation processor writes one for each component: a {@link TextField} for a string, a {@link
 * CollectionField} for a list or a set, a {@link MapField} for a map.
 *
 * {@snippet :
 * users.query().where(User_.CITY.eq("Tokyo"), User_.AGE.between(25, 35)).orderBy(User_.AGE.desc());
 * }
 *
 * <p>Values are compared in the order of the store: texts by code points, {@code -0.0} before
 * {@code 0.0}, NaN after all other numbers, enums by the order of their constants, false before
 * true. A comparison with a field that is null is neither true nor false, as in SQL.
 *
 * @param <R> the Java class of the records
 * @param <V> the Java class of the values
 */
public sealed class Field<R, V> implements Sort<R> permits TextField, CollectionField, MapField {
  private final List<FieldSpec> path;
  private final Function<R, @Nullable V> getter;
  private final @Nullable Function<Object, V> decoder;

  Field(Parts<R, V> parts) {
    this.path = List.copyOf(parts.path);
    this.getter = parts.getter;
    this.decoder = parts.decoder;
  }

  /**
   * The parts of a field.
   *
   * @param path the fields to go through
   * @param getter its value in a record
   * @param decoder its value from an element of a key; null if only a record has it
   */
  record Parts<R, V>(
      List<FieldSpec> path,
      Function<R, @Nullable V> getter,
      @Nullable Function<Object, V> decoder) {}

  /**
   * The field of {@code type} with {@code number}.
   *
   * @param getter its value in a record; null where it has none
   */
  public static <R, V> Field<R, V> of(TypeSpec type, int number, Function<R, @Nullable V> getter) {
    return new Field<>(parts(type.name(), type.fields(), number, getter));
  }

  /**
   * The field of a nested record with {@code number}.
   *
   * @param getter its value in a nested record; null where it has none
   */
  public static <R, V> Field<R, V> of(
      FieldType.Nested type, int number, Function<R, @Nullable V> getter) {
    return new Field<>(parts(type.name(), type.fields(), number, getter));
  }

  /**
   * This field, which holds an enum with these constants in their order. With them, queries that
   * select the field can read it from an index.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Field<R, V> withConstants(V... constants) {
    List<V> all = List.copyOf(Arrays.asList(constants));
    return new Field<>(
        new Parts<>(path, getter, element -> all.get(((Number) element).intValue())));
  }

  /** The field of {@code type} with {@code number}, which is a text. */
  public static <R> TextField<R> text(
      TypeSpec type, int number, Function<R, @Nullable String> getter) {
    return new TextField<>(parts(type.name(), type.fields(), number, getter));
  }

  /** The field of a nested record with {@code number}, which is a text. */
  public static <R> TextField<R> text(
      FieldType.Nested type, int number, Function<R, @Nullable String> getter) {
    return new TextField<>(parts(type.name(), type.fields(), number, getter));
  }

  /** The field of {@code type} with {@code number}, which is a list or a set. */
  public static <R, C extends Collection<E>, E> CollectionField<R, C, E> collection(
      TypeSpec type, int number, Function<R, @Nullable C> getter) {
    return new CollectionField<>(parts(type.name(), type.fields(), number, getter));
  }

  /** The field of a nested record with {@code number}, which is a list or a set. */
  public static <R, C extends Collection<E>, E> CollectionField<R, C, E> collection(
      FieldType.Nested type, int number, Function<R, @Nullable C> getter) {
    return new CollectionField<>(parts(type.name(), type.fields(), number, getter));
  }

  /** The field of {@code type} with {@code number}, which is a map. */
  public static <R, K, W> MapField<R, K, W> map(
      TypeSpec type, int number, Function<R, @Nullable Map<K, W>> getter) {
    return new MapField<>(parts(type.name(), type.fields(), number, getter));
  }

  /** The field of a nested record with {@code number}, which is a map. */
  public static <R, K, W> MapField<R, K, W> map(
      FieldType.Nested type, int number, Function<R, @Nullable Map<K, W>> getter) {
    return new MapField<>(parts(type.name(), type.fields(), number, getter));
  }

  private static <R, V> Parts<R, V> parts(
      String owner, List<FieldSpec> fields, int number, Function<R, @Nullable V> getter) {
    for (FieldSpec field : fields) {
      if (field.number() == number) {
        return new Parts<>(List.of(field), getter, decoder(field.type()));
      }
    }
    throw new SchemaException("%s has no field with number %d".formatted(owner, number));
  }

  @SuppressWarnings("unchecked") // a field of a scalar type has values of that type
  private static <V> @Nullable Function<Object, V> decoder(FieldType type) {
    return type instanceof FieldType.Scalar
        ? element -> (V) Objects.requireNonNull(KeyElements.value(type, element))
        : null;
  }

  /** The name of the field, with the fields on its path: {@code address.zip}. */
  public final String name() {
    return String.join(".", path.stream().map(FieldSpec::name).toList());
  }

  /** The number of the field in the record that it is directly in. */
  public final int number() {
    return path.getLast().number();
  }

  /** The type of its values. */
  public final FieldType type() {
    return path.getLast().type();
  }

  /** The value in {@code record}; null where it has none. */
  public final @Nullable V get(R record) {
    return getter.apply(record);
  }

  // ---- nested fields

  /** The field {@code inner} of the nested record in this field. */
  public final <W> Field<R, W> then(Field<V, W> inner) {
    return new Field<>(joined(inner));
  }

  /** The text {@code inner} of the nested record in this field. */
  public final TextField<R> then(TextField<V> inner) {
    return new TextField<>(joined(inner));
  }

  /** The list or set {@code inner} of the nested record in this field. */
  public final <C extends Collection<E>, E> CollectionField<R, C, E> then(
      CollectionField<V, C, E> inner) {
    return new CollectionField<>(joined(inner));
  }

  /** The map {@code inner} of the nested record in this field. */
  public final <K, W> MapField<R, K, W> then(MapField<V, K, W> inner) {
    return new MapField<>(joined(inner));
  }

  private <W> Parts<R, W> joined(Field<V, W> inner) {
    List<FieldSpec> longer = new ArrayList<>(path);
    longer.addAll(inner.path());
    Function<R, @Nullable W> both =
        record -> {
          V nested = get(record);
          return nested == null ? null : inner.get(nested);
        };
    return new Parts<>(longer, both, inner.decoder());
  }

  // ---- columns

  /** The column of this field, for an index; of a list or a set, each of its elements. */
  public final ColumnSpec column() {
    return column(false);
  }

  /** The column of this field in descending order. */
  public final ColumnSpec descending() {
    return column(true);
  }

  private ColumnSpec column(boolean descending) {
    List<ColumnSpec.Step> steps = new ArrayList<>();
    path.forEach(field -> steps.addAll(ColumnSpec.ofAll(field).path()));
    return new ColumnSpec(steps, descending);
  }

  // ---- filters

  /**
   * Records whose value is {@code value}.
   *
   * @throws IllegalArgumentException if {@code value} is null, which nothing equals, or the field
   *     holds no single value
   */
  public final Filter<R> eq(V value) {
    return compare(Operator.EQ, value);
  }

  /** Records with a value other than {@code value}; records without a value are left out. */
  public final Filter<R> ne(V value) {
    return compare(Operator.NE, value);
  }

  /** Records whose value is before {@code value}. */
  public final Filter<R> lt(V value) {
    return compare(Operator.LT, value);
  }

  /** Records whose value is {@code value} or before it. */
  public final Filter<R> le(V value) {
    return compare(Operator.LE, value);
  }

  /** Records whose value is after {@code value}. */
  public final Filter<R> gt(V value) {
    return compare(Operator.GT, value);
  }

  /** Records whose value is {@code value} or after it. */
  public final Filter<R> ge(V value) {
    return compare(Operator.GE, value);
  }

  /**
   * Records whose value is in the closed interval from {@code low} to {@code high}; none if {@code
   * high} is less than {@code low}.
   */
  public final Filter<R> between(V low, V high) {
    return ge(low).and(le(high));
  }

  /** Records whose value is one of {@code values}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Filter<R> in(V... values) {
    return in(Arrays.asList(values));
  }

  /** Records whose value is one of {@code values}. */
  public final Filter<R> in(Collection<? extends V> values) {
    List<Object> elements = new ArrayList<>(values.size());
    values.forEach(value -> elements.add(operand(value)));
    return new Filter<>(new Condition.In(single(), new Operand.Value(List.copyOf(elements))));
  }

  /** Records without a value. */
  public final Filter<R> isNull() {
    return new Filter<>(new Condition.IsNull(single()));
  }

  /** Records with a value. */
  public final Filter<R> isNotNull() {
    return isNull().not();
  }

  private Filter<R> compare(Operator operator, V value) {
    ColumnSpec column = single();
    return new Filter<>(new Condition.Compare(column, operator, new Operand.Value(operand(value))));
  }

  /** The column of a field that has one value and can be compared. */
  final ColumnSpec single() {
    return Operands.single(name(), type(), column());
  }

  final Object operand(@Nullable Object value) {
    return Operands.element(name(), type(), value);
  }

  // ---- orders

  /** The ascending order by this field, nulls first. */
  public final Sort.By<R> asc() {
    return new Sort.By<>(new Ordering(single(), false, true));
  }

  /** The descending order by this field, nulls last. */
  public final Sort.By<R> desc() {
    return new Sort.By<>(new Ordering(single(), true, false));
  }

  // ---- for queries

  final List<FieldSpec> path() {
    return path;
  }

  /** The decoder from an element of a key; null where only a record has the value. */
  final @Nullable Function<Object, V> decoder() {
    return decoder;
  }

  final Function<Object, V> requiredDecoder() {
    if (decoder == null) {
      throw new IllegalArgumentException(
          "The field '%s' holds no single value, or an enum whose constants are not known; see withConstants"
              .formatted(name()));
    }
    return decoder;
  }

  @Override
  public final String toString() {
    return name();
  }
}
