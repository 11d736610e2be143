package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value that a save gives to a component that is null, and that a read gives to one that an
 * older record lacks. {@code "now"} on an {@link java.time.Instant} is the store's time of the
 * save; an older record keeps null.
 *
 * <p>Single values of the record, and of records that are its components, can have defaults;
 * elements of collections cannot. The default is part of the schema. A new default for a field that
 * an index uses is refused unless the index is built anew, because the entries of records that lack
 * the field were made with the old one.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
  /** The value as text: a number, true or false, a string, an enum constant, an ISO-8601 time. */
  String value();
}
