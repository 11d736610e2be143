package dev.tidemark.records.internal.query.condition;

import org.jspecify.annotations.Nullable;

/** What a column is compared with. */
public sealed interface Operand {
  /**
   * A value as the query was given it: an element of keys, never null; for {@link Condition.In} a
   * list of them.
   *
   * @param element the element
   */
  record Value(@Nullable Object element) implements Operand {}

  /**
   * A place for a value. All conditions of a plan have slots, so that a plan knows no values and
   * can be used for every query of its shape.
   *
   * @param number the place in {@link Bindings}
   */
  record Slot(int number) implements Operand {}
}
