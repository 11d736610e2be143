package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The directory of the store of a type or schema: a path of names and {@code {placeholders}}, which
 * become parameters of the generated {@code open} method. A placeholder with the name of a
 * component has the type of that component; any other is a string. Without this annotation the path
 * is the name of the type or schema.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Directory {
  /** The path. */
  String[] value();

  /**
   * The number of names, from the front of the path, that form a directory partition: {@code 2}
   * makes {@code tenants/{id}} a partition, so that nothing outside of it can share its keys.
   * Default none.
   */
  int partition() default 0;
}
