package dev.tidemark.records.processor;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** The mirrors of annotations, at which mistakes are reported and from which classes are read. */
final class Annotations {
  private Annotations() {}

  static Optional<AnnotationMirror> find(Element element, Class<? extends Annotation> type) {
    return element.getAnnotationMirrors().stream()
        .filter(mirror -> isOf(mirror, type))
        .<AnnotationMirror>map(mirror -> mirror)
        .findFirst();
  }

  /** All occurrences of a repeatable annotation, in order. */
  static List<AnnotationMirror> all(
      Element element, Class<? extends Annotation> type, Class<? extends Annotation> container) {
    List<AnnotationMirror> found = new ArrayList<>();
    for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
      if (isOf(mirror, type)) {
        found.add(mirror);
      } else if (isOf(mirror, container)) {
        for (AnnotationValue each : list(mirror, "value")) {
          found.add((AnnotationMirror) each.getValue());
        }
      }
    }
    return found;
  }

  private static boolean isOf(AnnotationMirror mirror, Class<? extends Annotation> type) {
    TypeElement element = (TypeElement) mirror.getAnnotationType().asElement();
    return element.getQualifiedName().contentEquals(String.valueOf(type.getCanonicalName()));
  }

  /** The classes in the member {@code name}. */
  static List<TypeElement> classes(AnnotationMirror mirror, String name) {
    List<TypeElement> found = new ArrayList<>();
    for (AnnotationValue value : list(mirror, name)) {
      if (value.getValue() instanceof DeclaredType type) {
        found.add((TypeElement) type.asElement());
      } else {
        throw new NotYetException(value.toString());
      }
    }
    return found;
  }

  private static List<? extends AnnotationValue> list(AnnotationMirror mirror, String name) {
    for (var entry : mirror.getElementValues().entrySet()) {
      if (entry.getKey().getSimpleName().contentEquals(name)) {
        return entry.getValue().getValue() instanceof List<?> values
            ? values.stream().map(AnnotationValue.class::cast).toList()
            : List.of(entry.getValue());
      }
    }
    return List.of();
  }
}
