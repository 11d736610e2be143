package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The components of a record in the order of their field numbers: the first has number 1. For
 * records whose components were once declared in another order.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface FieldOrder {
  /** Component names in the order of their field numbers. */
  String[] value();
}
