package dev.tidemark.records.query;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.schema.FieldType;
import java.util.Collection;

/**
 * A field that holds a list or a set.
 *
 * @param <R> the Java class of the records
 * @param <C> the Java class of the collection
 * @param <E> the Java class of its elements
 */
public final class CollectionField<R, C extends Collection<E>, E> extends Field<R, C> {
  CollectionField(Parts<R, C> parts) {
    super(parts);
  }

  /**
   * Records that have {@code element} in the collection.
   *
   * @throws IllegalArgumentException if the elements are nested records; ask with {@link #anyMatch}
   */
  public Filter<R> contains(E element) {
    Object operand = Operands.element(name(), elements(), element);
    return anyMatch(
        new Filter<>(
            new Condition.Compare(
                Condition.ELEMENT, Condition.Operator.EQ, new Operand.Value(operand))));
  }

  /**
   * Records that have an element in the collection that meets {@code filter}.
   *
   * @param filter of fields of the element, {@code Order_.LinesFields.PRODUCT.eq("tea")}
   */
  public Filter<R> anyMatch(Filter<E> filter) {
    return new Filter<>(new Condition.AnyMatch(column(), filter.condition()));
  }

  private FieldType elements() {
    return switch (type()) {
      case FieldType.ListOf list -> list.element();
      case FieldType.SetOf set -> set.element();
      case FieldType.Scalar other -> throw notACollection(other);
      case FieldType.Constants other -> throw notACollection(other);
      case FieldType.Nested other -> throw notACollection(other);
      case FieldType.MapOf other -> throw notACollection(other);
    };
  }

  private IllegalArgumentException notACollection(FieldType other) {
    return new IllegalArgumentException(
        "The field '%s' is %s, neither a list nor a set".formatted(name(), other));
  }
}
