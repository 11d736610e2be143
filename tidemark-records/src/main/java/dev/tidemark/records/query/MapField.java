package dev.tidemark.records.query;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.ColumnSpec.Part;
import dev.tidemark.records.schema.ColumnSpec.Step;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A field that holds a map.
 *
 * @param <R> the Java class of the records
 * @param <K> the Java class of the keys
 * @param <W> the Java class of the values
 */
public final class MapField<R, K, W> extends Field<R, Map<K, W>> {
  MapField(Parts<R, Map<K, W>> parts) {
    super(parts);
  }

  /** Records that have {@code key} in the map. */
  public Filter<R> containsKey(K key) {
    return any(Part.KEYS, equal(Operands.element(name(), map().key(), key)));
  }

  /**
   * Records that have {@code value} under one of the keys of the map.
   *
   * @throws IllegalArgumentException if the values are nested records; ask with {@link #anyValue}
   */
  public Filter<R> containsValue(W value) {
    return any(Part.VALUES, equal(Operands.element(name(), map().value(), value)));
  }

  /** Records that have a value in the map that meets {@code filter}. */
  public Filter<R> anyValue(Filter<W> filter) {
    return any(Part.VALUES, filter.condition());
  }

  private Filter<R> any(Part part, Condition element) {
    List<Step> steps = new ArrayList<>(column().path());
    steps.set(steps.size() - 1, new Step(number(), part));
    return new Filter<>(new Condition.AnyMatch(new ColumnSpec(steps, false), element));
  }

  private static Condition equal(Object operand) {
    return new Condition.Compare(
        Condition.ELEMENT, Condition.Operator.EQ, new Operand.Value(operand));
  }

  private FieldType.MapOf map() {
    if (type() instanceof FieldType.MapOf map) {
      return map;
    }
    throw new IllegalArgumentException("The field '%s' is %s, not a map".formatted(name(), type()));
  }
}
