package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The field numbers of removed components. Stored records may still have values under them, so the
 * compiler refuses a component with one of these numbers. List the number of a component here when
 * you remove it, and keep it listed. For stored types, and for records that are components of them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Reserved {
  /** The numbers. */
  int[] value();
}
