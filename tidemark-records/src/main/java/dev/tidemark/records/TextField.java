package dev.tidemark.records;

import dev.tidemark.records.internal.query.Condition;
import dev.tidemark.records.internal.query.Operand;

/**
 * A field with texts.
 *
 * @param <R> the Java class of the records
 */
public final class TextField<R> extends Field<R, String> {
  TextField(Parts<R, String> parts) {
    super(parts);
  }

  /** Records whose text begins with {@code prefix}; all that have a text if it is empty. */
  public Filter<R> startsWith(String prefix) {
    return new Filter<>(new Condition.StartsWith(single(), new Operand.Value(operand(prefix))));
  }

  /**
   * Records whose text matches {@code pattern} as a whole: {@code %} stands for any characters,
   * {@code _} for one, and {@code \} before one of these three for itself.
   *
   * @throws IllegalArgumentException if a {@code \} stands before anything else
   */
  public Filter<R> like(String pattern) {
    Operands.checkPattern(name(), pattern);
    return new Filter<>(new Condition.Like(single(), new Operand.Value(operand(pattern))));
  }
}
