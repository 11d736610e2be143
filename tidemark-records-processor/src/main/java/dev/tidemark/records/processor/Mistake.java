package dev.tidemark.records.processor;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/** Something that is wrong with an annotated element: what, and where the compiler shows it. */
final class Mistake extends RuntimeException {
  private final transient Element element;
  private final transient @Nullable AnnotationMirror annotation;

  Mistake(Element element, @Nullable AnnotationMirror annotation, String message) {
    super(message);
    this.element = element;
    this.annotation = annotation;
  }

  Mistake(Element element, String message) {
    this(element, null, message);
  }

  Element element() {
    return element;
  }

  @Nullable AnnotationMirror annotation() {
    return annotation;
  }
}
