package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stored identity of a component. With a fixed number, a component can be renamed and moved
 * without a rewrite of records or indexes. Without it the number is the component's place in the
 * record.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface Attribute {
  /** The field number, from 1 to 536,870,911. Default the component's place. */
  int number() default 0;

  /** The stored name. Default the component's own. */
  String name() default "";
}
