package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The component says when a record expires: an {@link java.time.Instant} from which on it is gone,
 * or null for never. Expired records vanish from reads at once, and from the store when it is
 * swept.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface Ttl {
  /** Added to the component's time: ISO-8601, such as {@code PT24H}. Default nothing. */
  String after() default "PT0S";
}
