package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component with the time of expiry: an {@link java.time.Instant}, or null for never.
 * Reads do not see a record from that moment on; a sweep removes it from the store.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface Ttl {
  /**
   * The time from the component's moment to the expiry, in ISO-8601, such as {@code PT24H}. Default
   * nothing.
   */
  String after() default "PT0S";
}
