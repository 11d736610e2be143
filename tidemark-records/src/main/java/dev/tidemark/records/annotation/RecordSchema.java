package dev.tidemark.records.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Several record types that are stored together, with relationships between them. The processor
 * writes, beside an interface {@code Shop}, a {@code ShopStore} with a store for each type.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RecordSchema {
  /** The record types. */
  Class<?>[] value();

  /** The version of the schema. It grows with every change. */
  int version() default 1;
}
