package dev.tidemark.records.processor;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.Attribute;
import dev.tidemark.records.annotation.Default;
import dev.tidemark.records.annotation.FieldOrder;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Transient;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/** Reads the components of records, including nested records. */
final class ModelReader {
  private final Elements elements;
  private final Problems problems;
  private final ShapeReader shapes = new ShapeReader(this);

  ModelReader(Elements elements, Problems problems) {
    this.elements = elements;
    this.problems = problems;
  }

  /** The record {@code element}, which is not nested in another. */
  RecordModel read(TypeElement element) {
    return read(element, List.of(element));
  }

  /** The record {@code element} as the type, or part of the type, of the component {@code at}. */
  RecordModel nested(Element at, TypeElement element, List<TypeElement> around) {
    if (around.contains(element)) {
      throw new Mistake(
          at,
          "The component '%s' nests %s in itself, so its schema would never end. Store the key of the other record instead"
              .formatted(at.getSimpleName(), element.getSimpleName()));
    }
    List<TypeElement> deeper = new ArrayList<>(around);
    deeper.add(element);
    return read(element, deeper);
  }

  private RecordModel read(TypeElement element, List<TypeElement> around) {
    if (!element.getTypeParameters().isEmpty()) {
      throw new Mistake(
          element,
          "The record %s has type parameters, so its fields have no one type. Make a record for each type that is stored"
              .formatted(element.getSimpleName()));
    }
    Map<String, Integer> numbers = numbers(element);
    List<Component> components = new ArrayList<>();
    for (RecordComponentElement component : element.getRecordComponents()) {
      problems.collect(() -> components.add(component(component, numbers, around)));
    }
    RecordModel model = new RecordModel(element, List.copyOf(components));
    checkNumbers(model);
    checkReserved(model);
    return model;
  }

  private Component component(
      RecordComponentElement element, Map<String, Integer> numbers, List<TypeElement> around) {
    String name = element.getSimpleName().toString();
    Optional<TypeMirror> inside = ShapeReader.optionalOf(element.asType());
    boolean key = element.getAnnotation(PrimaryKey.class) != null;
    Optional<AnnotationMirror> skipped = Annotations.find(element, Transient.class);
    if (skipped.isPresent()) {
      if (key) {
        throw new Mistake(
            element,
            skipped.get(),
            "The component '%s' is in the primary key; it must be stored".formatted(name));
      }
      Shape any = new Shape.Single(FieldType.Scalar.STRING, false);
      return new Component(element, name, 0, any, false, false, Optional.empty());
    }
    Attribute attribute = element.getAnnotation(Attribute.class);
    Shape shape = shapes.read(element, inside.orElse(element.asType()), around);
    if (inside.isPresent() && shape.isCollection()) {
      throw new Mistake(
          element,
          "The component '%s' is an Optional of a collection, which is not stored. An empty collection says the same: take that"
              .formatted(name));
    }
    Component component =
        new Component(
            element,
            attribute == null || attribute.name().isEmpty() ? name : attribute.name(),
            numbers.getOrDefault(name, 0),
            shape,
            inside.isPresent(),
            key,
            Optional.ofNullable(element.getAnnotation(Default.class)).map(Default::value));
    checkField(component);
    component.defaultText().ifPresent(text -> checkDefault(component, text));
    if (inside.isPresent() || shape.isCollection()) {
      checkElements(component);
    }
    return component;
  }

  // ---- numbers

  private static Map<String, Integer> numbers(TypeElement element) {
    List<String> names =
        element.getRecordComponents().stream()
            .map(component -> component.getSimpleName().toString())
            .toList();
    FieldOrder order = element.getAnnotation(FieldOrder.class);
    List<String> ordered = order == null ? names : List.of(order.value());
    if (order != null) {
      checkOrder(element, ordered);
    }
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      numbers.put(ordered.get(i), i + 1);
    }
    for (RecordComponentElement component : element.getRecordComponents()) {
      Attribute attribute = component.getAnnotation(Attribute.class);
      if (attribute != null && attribute.number() != 0) {
        numbers.put(component.getSimpleName().toString(), attribute.number());
      }
    }
    return numbers;
  }

  private static void checkOrder(TypeElement element, List<String> ordered) {
    @Nullable AnnotationMirror at = Annotations.find(element, FieldOrder.class).orElse(null);
    List<String> rest = new ArrayList<>();
    for (RecordComponentElement component : element.getRecordComponents()) {
      if (component.getAnnotation(Transient.class) == null) {
        rest.add(component.getSimpleName().toString());
      }
    }
    for (String name : ordered) {
      if (!rest.remove(name)) {
        throw new Mistake(
            element,
            at,
            "@FieldOrder names '%s', which is no stored component of %s or is named twice"
                .formatted(name, element.getSimpleName()));
      }
    }
    if (!rest.isEmpty()) {
      throw new Mistake(
          element,
          at,
          "@FieldOrder does not name %s; it needs every stored component of %s"
              .formatted(String.join(", ", rest), element.getSimpleName()));
    }
  }

  private void checkNumbers(RecordModel model) {
    Map<Integer, Component> seen = new HashMap<>();
    for (Component component : model.components()) {
      Component other = component.stored() ? seen.put(component.number(), component) : null;
      if (other != null) {
        problems.report(
            new Mistake(
                component.element(),
                Annotations.find(component.element(), Attribute.class).orElse(null),
                "The components '%s' and '%s' of %s both have number %d. Give one of them a number that was never used, with @Attribute(number = …)"
                    .formatted(
                        other.name(), component.name(), model.simpleName(), component.number())));
      }
    }
  }

  private void checkReserved(RecordModel model) {
    for (int number : model.reserved()) {
      model.components().stream()
          .filter(component -> component.number() == number)
          .forEach(
              component ->
                  problems.report(
                      new Mistake(
                          component.element(),
                          Annotations.find(component.element(), Attribute.class).orElse(null),
                          "The component '%s' of %s has number %d, which is reserved because another one had it once. Give it a number that was never used, with @Attribute(number = …)"
                              .formatted(component.name(), model.simpleName(), number))));
    }
  }

  // ---- single components

  private static void checkField(Component component) {
    try {
      component.spec(Component::storedName);
    } catch (SchemaException wrong) {
      throw new Mistake(
          component.element(),
          Annotations.find(component.element(), Attribute.class).orElse(null),
          String.valueOf(wrong.getMessage()));
    }
    boolean single =
        component.shape() instanceof Shape.Single || component.shape() instanceof Shape.OneOf;
    if (component.key() && (component.optional() || !single)) {
      throw new Mistake(
          component.element(),
          Annotations.find(component.element(), PrimaryKey.class).orElse(null),
          "The primary key has the component '%s', which is not a single value or can be empty. Take components of a simple type"
              .formatted(component.name()));
    }
  }

  private static void checkDefault(Component component, String text) {
    AnnotationMirror at = Annotations.find(component.element(), Default.class).orElse(null);
    boolean single =
        component.shape() instanceof Shape.OneOf
            || (component.shape() instanceof Shape.Single value
                && value.scalar() != FieldType.Scalar.BYTES);
    if (component.optional() || !single) {
      throw new Mistake(
          component.element(),
          at,
          "The component '%s' has a default but is a collection, a record, an Optional or an array, which have none. Remove @Default, and set the value where records are made; a migration gives one to those that are stored"
              .formatted(component.name()));
    }
    if (!component.defaultsToNow()) {
      try {
        component.shape().fieldType(Component::name).parse(text);
      } catch (SchemaException wrong) {
        throw new Mistake(
            component.element(),
            at,
            "The default of '%s' is wrong: %s".formatted(component.name(), wrong.getMessage()));
      }
    }
  }

  /** Checks that elements of collections have no defaults, which a save would not fill in. */
  private static void checkElements(Component component) {
    for (Shape part : component.shape().parts()) {
      if (part instanceof Shape.Inner inner && inner.model().hasDefaultsToFillIn()) {
        throw new Mistake(
            component.element(),
            "The component '%s' holds records of %s, which has components with @Default. Defaults are filled in only in records that are components themselves: remove @Default there"
                .formatted(component.name(), inner.model().simpleName()));
      }
    }
  }

  /** Checks that generated code in the package of {@code from} can access {@code type}. */
  void checkAccess(Element at, TypeElement type, TypeElement from) {
    boolean samePackage = elements.getPackageOf(type).equals(elements.getPackageOf(from));
    for (TypeElement each : Names.nesting(type)) {
      boolean visible =
          samePackage
              ? !each.getModifiers().contains(Modifier.PRIVATE)
              : each.getModifiers().contains(Modifier.PUBLIC);
      if (!visible) {
        throw new Mistake(
            at,
            "%s cannot be used by generated code in package %s, because %s is not visible there. Make it %s"
                .formatted(
                    type.getSimpleName(),
                    elements.getPackageOf(from).getQualifiedName(),
                    each.getSimpleName(),
                    samePackage ? "package-private or public" : "public"));
      }
    }
  }
}
