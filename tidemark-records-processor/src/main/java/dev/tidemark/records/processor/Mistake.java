package dev.tidemark.records.processor;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/**
 * A mistake in an annotated element: the message, and the element at which the compiler reports it.
 */
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
