package dev.tidemark.records.annotation;

import dev.tidemark.records.schema.DeleteRule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that holds the primary key of a record of another type, or keys of several; the
 * store applies {@link #onDelete} when such a record is deleted. Both types belong to one {@link
 * RecordSchema}. A save does not check that the other record exists; load it in the same
 * transaction where that matters.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.RECORD_COMPONENT)
public @interface Relationship {
  /** The type whose key the component holds. */
  Class<?> to();

  /** What happens to this record when the other one is deleted. */
  DeleteRule onDelete() default DeleteRule.RESTRICT;
}
