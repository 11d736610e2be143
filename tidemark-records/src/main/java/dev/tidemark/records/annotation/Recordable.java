package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a Java record a stored type. The annotation processor writes, beside a record {@code User},
 * its fields and codec ({@code User_}) and its store ({@code UserStore}).
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Recordable {
  /**
   * The stored name of the type. Default the record's own name; it outlives a rename of the class.
   */
  String name() default "";

  /** The version of the schema when the type is stored alone. It grows with every change. */
  int version() default 1;

  /** Whether every record keeps the versionstamp of the commit that saved it last. */
  boolean versions() default false;

  /**
   * Indexes of this type that earlier versions had. One that is neither declared nor listed here is
   * refused when a store is opened; what is listed is erased.
   */
  Former[] formerIndexes() default {};

  /** An index of an earlier version. */
  @Documented
  @Retention(RetentionPolicy.CLASS)
  @Target({})
  @interface Former {
    /** Its name. */
    String name();

    /** The first version of the schema without it. */
    int removed();
  }
}
