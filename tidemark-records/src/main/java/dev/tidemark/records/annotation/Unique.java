package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that no two records may have the same values in these fields: short for a unique {@link
 * Index}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Repeatable(Unique.All.class)
public @interface Unique {
  /** The fields that are unique together. */
  String[] fields();

  /** The name of the index. Default the type and its fields: user_email. */
  String name() default "";

  /** Whether null equals null. Default no: any number of records may have null. */
  boolean nullsEqual() default false;

  /**
   * The version of the schema with which the index came, or was last changed. A higher one than
   * stored builds it anew.
   */
  int since() default 1;

  /** Several unique indexes of one type. */
  @Documented
  @Retention(RetentionPolicy.CLASS)
  @Target(ElementType.TYPE)
  @interface All {
    /** The indexes. */
    Unique[] value();
  }
}
