package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests of single columns for one kind of row.
 *
 * @param <S> what a row is
 */
interface Leaves<S> {
  /** Compares with an element. */
  RowTest<S> compare(ColumnSpec column, Comparison comparison, Object operand);

  /** Looks for the column among elements. */
  RowTest<S> in(ColumnSpec column, List<? extends @Nullable Object> operands);

  /** Whether the column is null. */
  RowTest<S> isNull(ColumnSpec column);

  /** Whether a text begins so. */
  RowTest<S> startsWith(ColumnSpec column, String prefix);

  /** Whether a text passes a test. */
  RowTest<S> text(ColumnSpec column, Predicate<String> test);

  /** Whether one of the elements meets a condition. */
  RowTest<S> anyMatch(ColumnSpec column, Condition element, Bindings values);
}
