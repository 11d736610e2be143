package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests of columns that come as elements.
 *
 * @param <S> what a row is
 */
abstract class ElementLeaves<S> implements Leaves<S> {
  /** Gives the element of a column. */
  abstract Function<S, @Nullable Object> reader(ColumnSpec column);

  @Override
  public final RowTest<S> compare(ColumnSpec column, Comparison comparison, Object operand) {
    return comparison.isEquality()
        ? new Equal<>(reader(column), comparison, operand)
        : new Compare<>(reader(column), comparison, operand);
  }

  @Override
  public final RowTest<S> in(ColumnSpec column, List<? extends @Nullable Object> operands) {
    return new In<>(reader(column), new Operands(operands));
  }

  @Override
  public final RowTest<S> isNull(ColumnSpec column) {
    return new IsNull<>(reader(column));
  }

  @Override
  public final RowTest<S> startsWith(ColumnSpec column, String prefix) {
    return new Text<>(reader(column), text -> text.startsWith(prefix));
  }

  @Override
  public final RowTest<S> text(ColumnSpec column, Predicate<String> test) {
    return new Text<>(reader(column), test);
  }

  /** The operands of IN, sorted. */
  static final class Operands {
    private final Object[] sorted;
    private final int otherwise;

    Operands(List<? extends @Nullable Object> all) {
      List<Object> known = new ArrayList<>(all.size());
      for (Object one : all) {
        if (one != null) {
          known.add(one);
        }
      }
      this.sorted = known.toArray();
      Arrays.sort(sorted, ElementOrder.COMPARATOR);
      this.otherwise = known.size() < all.size() ? RowTest.UNKNOWN : RowTest.FALSE;
    }

    int truth(Object element) {
      return Arrays.binarySearch(sorted, element, ElementOrder.COMPARATOR) >= 0
          ? RowTest.TRUE
          : otherwise;
    }
  }

  private static final class Compare<S> extends RowTest<S> {
    private final Function<S, @Nullable Object> column;
    private final Comparison comparison;
    private final Object operand;

    Compare(Function<S, @Nullable Object> column, Comparison comparison, Object operand) {
      this.column = column;
      this.comparison = comparison;
      this.operand = operand;
    }

    @Override
    int truth(S row) {
      Object element = column.apply(row);
      return element == null ? UNKNOWN : comparison.of(ElementOrder.compare(element, operand));
    }
  }

  private static final class Equal<S> extends RowTest<S> {
    private final Function<S, @Nullable Object> column;
    private final Comparison comparison;
    private final Object operand;

    Equal(Function<S, @Nullable Object> column, Comparison comparison, Object operand) {
      this.column = column;
      this.comparison = comparison;
      this.operand = operand;
    }

    @Override
    int truth(S row) {
      Object element = column.apply(row);
      return element == null ? UNKNOWN : comparison.of(ElementOrder.areEqual(element, operand));
    }
  }

  private static final class In<S> extends RowTest<S> {
    private final Function<S, @Nullable Object> column;
    private final Operands operands;

    In(Function<S, @Nullable Object> column, Operands operands) {
      this.column = column;
      this.operands = operands;
    }

    @Override
    int truth(S row) {
      Object element = column.apply(row);
      return element == null ? UNKNOWN : operands.truth(element);
    }
  }

  private static final class IsNull<S> extends RowTest<S> {
    private final Function<S, @Nullable Object> column;

    IsNull(Function<S, @Nullable Object> column) {
      this.column = column;
    }

    @Override
    int truth(S row) {
      return truth(column.apply(row) == null);
    }
  }

  private static final class Text<S> extends RowTest<S> {
    private final Function<S, @Nullable Object> column;
    private final Predicate<String> test;

    Text(Function<S, @Nullable Object> column, Predicate<String> test) {
      this.column = column;
      this.test = test;
    }

    @Override
    int truth(S row) {
      Object element = column.apply(row);
      return element == null ? UNKNOWN : truth(test.test((String) element));
    }
  }
}
