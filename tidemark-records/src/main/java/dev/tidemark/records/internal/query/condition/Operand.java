package dev.tidemark.records.internal.query.condition;

import org.jspecify.annotations.Nullable;

/** The operand of a comparison. */
public sealed interface Operand {
  /**
   * A value of the query: an element of keys, never null; for {@link Condition.In} a list of them.
   *
   * @param element the element
   */
  record Value(@Nullable Object element) implements Operand {}

  /**
   * A placeholder of a value. The conditions of a plan have slots, so that a plan contains no
   * values and serves every query of its shape.
   *
   * @param number the place in {@link Bindings}
   */
  record Slot(int number) implements Operand {}
}
