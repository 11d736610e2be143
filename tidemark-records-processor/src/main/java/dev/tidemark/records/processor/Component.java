package dev.tidemark.records.processor;

import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.element.RecordComponentElement;

/**
 * A component of a record.
 *
 * @param element the element at which mistakes are reported
 * @param storedName its name in the schema
 * @param number its field number; 0 if it is not stored
 * @param shape its type, or the type inside its {@code Optional}
 * @param optional whether it is an {@code Optional}
 * @param key whether it is part of the primary key
 * @param defaultText its default
 */
record Component(
    RecordComponentElement element,
    String storedName,
    int number,
    Shape shape,
    boolean optional,
    boolean key,
    Optional<String> defaultText) {
  static final String NOW = "now";

  String name() {
    return element.getSimpleName().toString();
  }

  boolean stored() {
    return number > 0;
  }

  boolean nullable() {
    return optional || !(key || shape.isPrimitive() || shape.isCollection());
  }

  /** Whether its default is the time of the save. */
  boolean defaultsToNow() {
    return defaultText.isPresent()
        && defaultText.get().equals(NOW)
        && shape instanceof Shape.Single single
        && single.scalar() == FieldType.Scalar.INSTANT;
  }

  /** Whether its default is a constant of the annotation. */
  boolean hasFixedDefault() {
    return defaultText.isPresent() && !defaultsToNow();
  }

  FieldSpec spec(Function<Component, String> naming) {
    return new FieldSpec(
        number, naming.apply(this), shape.fieldType(naming), nullable(), defaultText);
  }
}
