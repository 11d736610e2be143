package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.Reserved;
import dev.tidemark.records.schema.FieldSpec;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.TypeElement;

/**
 * A Java record and its components.
 *
 * @param element the element at which mistakes are reported
 * @param components in the order of declaration, transient ones included
 */
record RecordModel(TypeElement element, List<Component> components) {
  String simpleName() {
    return element.getSimpleName().toString();
  }

  /** The components that are stored, in the order of their numbers. */
  List<Component> stored() {
    return components.stream()
        .filter(Component::stored)
        .sorted(Comparator.comparingInt(Component::number))
        .toList();
  }

  Component component(int number) {
    return components.stream()
        .filter(component -> component.number() == number)
        .findFirst()
        .orElseThrow();
  }

  /** The reserved numbers, in order. */
  List<Integer> reserved() {
    Reserved annotation = element.getAnnotation(Reserved.class);
    return annotation == null
        ? List.of()
        : Arrays.stream(annotation.value()).distinct().sorted().boxed().toList();
  }

  List<FieldSpec> fields(Function<Component, String> naming) {
    return stored().stream().map(component -> component.spec(naming)).toList();
  }

  /** Whether a save can fill in defaults, in this record or in records that are its components. */
  boolean hasDefaultsToFillIn() {
    return stored().stream()
        .anyMatch(
            component ->
                component.nullable()
                    && (component.defaultText().isPresent()
                        || (component.shape() instanceof Shape.Inner inner
                            && inner.model().hasDefaultsToFillIn())));
  }
}
