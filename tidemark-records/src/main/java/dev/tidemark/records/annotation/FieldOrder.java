package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stored numbers of a record's components, given as the components in the order of their
 * numbers: the first has number 1. For records whose components were declared in another order
 * once.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface FieldOrder {
  /** Component names in the order of their field numbers. */
  String[] value();
}
