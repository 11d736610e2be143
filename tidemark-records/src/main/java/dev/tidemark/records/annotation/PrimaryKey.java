package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component, or one of the components, that identifies a record. Several form a composite
 * key in the order of {@link #order}, then of declaration.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface PrimaryKey {
  /** The place of the component in a composite key. */
  int order() default 0;
}
