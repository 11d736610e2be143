package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Numbers that components of a record had once. Stored records may still have values under them, so
 * a component with one of these numbers is refused when it is compiled. A component can be removed
 * once its number is listed here, and a number stays listed. For stored types, and for records that
 * are components of them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Reserved {
  /** The numbers. */
  int[] value();
}
