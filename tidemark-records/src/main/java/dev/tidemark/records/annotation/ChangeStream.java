package dev.tidemark.records.annotation;

import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a change stream of every store with this type or schema: the commit that changes a
 * record also records the change. On a record it watches that type, on a {@link RecordSchema} all
 * types of the schema, unless {@link #watch} names some.
 *
 * <p>It takes effect by the schema that is generated. A schema that is made by hand has the streams
 * that {@link dev.tidemark.records.schema.Schema#withStreams} gives it; a store is not opened with
 * one that lacks a stream which one of its classes declares.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ChangeStream.All.class)
public @interface ChangeStream {
  /** The name of the stream, unique in its store. */
  String name();

  /**
   * What it watches: {@code "Book"} a type, {@code "Book(title, year)"} some components of it,
   * {@code "Book()"} its inserts and deletes. Default everything.
   */
  String[] watch() default {};

  /** Which values are kept. */
  CaptureType capture() default CaptureType.OLD_AND_NEW_VALUES;

  /** Changes that are not recorded. */
  ChangeStreamSpec.Exclusion[] exclude() default {};

  /** Whether a transaction may exclude itself. */
  boolean optOut() default false;

  /** The time for which changes are kept, such as {@code "P7D"} or {@code "PT36H"}. */
  String retention() default "P7D";

  /** Several of them. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface All {
    /** The streams. */
    ChangeStream[] value();
  }
}
