package dev.tidemark.records.annotation;

import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.ZeroGroups;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An index over a record type.
 *
 * <p>{@link #fields} name the columns: a component ({@code "city"}), a component of a nested record
 * ({@code "address.zip"}), the elements of a list or set ({@code "tags[]"}, one entry for each),
 * the keys or values of a map ({@code "labels.keys[]"}, {@code "labels.values[]"}). {@code " desc"}
 * after a name reverses its order. For aggregates the last field is the value and those before it
 * are the group; {@link IndexKind#COUNT} and {@link IndexKind#COUNT_UPDATES} have groups only.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Repeatable(Index.All.class)
public @interface Index {
  /** The columns of the index, in order. */
  String[] fields();

  /**
   * The name of the index, unique in its schema. Default the type, its fields and its kind if it is
   * not {@link IndexKind#VALUE}: user_city_age, user_city_count.
   */
  String name() default "";

  /** What kind of index it is. */
  IndexKind kind() default IndexKind.VALUE;

  /** Whether no two records may have the same columns. Only for {@link IndexKind#VALUE}. */
  boolean unique() default false;

  /**
   * Whether null equals null for {@link #unique}. Default no: any number of records may have null.
   */
  boolean nullsEqual() default false;

  /** Fields whose values are kept with the entry, so that queries need not load the record. */
  String[] covering() default {};

  /**
   * The filter of a partial index, as comparisons joined by {@code and}: {@code "status = 'OPEN'
   * and closedAt is null"}. Default all.
   */
  String where() default "";

  /**
   * Whether a group is removed when its count or sum is zero. Default: for counts yes, for sums no.
   */
  ZeroGroups zeroGroups() default ZeroGroups.BY_KIND;

  /**
   * The version of the schema with which the index came, or was last changed. A higher one than
   * stored builds it anew.
   */
  int since() default 1;

  /** Several indexes of one type. */
  @Documented
  @Retention(RetentionPolicy.CLASS)
  @Target(ElementType.TYPE)
  @interface All {
    /** The indexes. */
    Index[] value();
  }
}
