package dev.tidemark.records.processor;

import dev.tidemark.records.schema.FieldType;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;

/** The storable type of a component. */
sealed interface Shape {
  /** A single value. */
  record Single(FieldType.Scalar scalar, boolean primitive) implements Shape {}

  /** An enum. */
  record OneOf(TypeElement type) implements Shape {
    List<String> constants() {
      return type.getEnclosedElements().stream()
          .filter(member -> member.getKind() == ElementKind.ENUM_CONSTANT)
          .map(member -> member.getSimpleName().toString())
          .toList();
    }
  }

  /** A nested record. */
  record Inner(RecordModel model) implements Shape {}

  /** A list or a set. */
  record Many(Shape element, boolean isSet) implements Shape {}

  /** A map. */
  record Mapping(Shape key, Shape value) implements Shape {}

  default boolean isPrimitive() {
    return this instanceof Single single && single.primitive();
  }

  default boolean isCollection() {
    return this instanceof Many || this instanceof Mapping;
  }

  /** The elements of a collection; of any other shape, itself. */
  default List<Shape> parts() {
    return switch (this) {
      case Many many -> List.of(many.element());
      case Mapping map -> List.of(map.key(), map.value());
      case Single single -> List.of(single);
      case OneOf constant -> List.of(constant);
      case Inner inner -> List.of(inner);
    };
  }

  /** Whether elements of a list can share one field. */
  default boolean isPackable() {
    return switch (this) {
      case Single single ->
          switch (single.scalar()) {
            case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE, DATE -> true;
            case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL, INSTANT, DATE_TIME, DURATION -> false;
          };
      case OneOf constant -> true;
      case Inner inner -> false;
      case Many many -> false;
      case Mapping map -> false;
    };
  }

  /** The type in a schema, with names of components by {@code naming}. */
  default FieldType fieldType(Function<Component, String> naming) {
    return switch (this) {
      case Single single -> single.scalar();
      case OneOf constant ->
          new FieldType.Constants(constant.type().getSimpleName().toString(), constant.constants());
      case Inner inner ->
          new FieldType.Nested(
              inner.model().simpleName(), inner.model().fields(naming), inner.model().reserved());
      case Many many ->
          many.isSet()
              ? new FieldType.SetOf(many.element().fieldType(naming))
              : new FieldType.ListOf(many.element().fieldType(naming));
      case Mapping map ->
          new FieldType.MapOf(map.key().fieldType(naming), map.value().fieldType(naming));
    };
  }
}
