package dev.tidemark.records.internal.query.match;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.LikePattern;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.TextConditions;
import java.util.List;
import java.util.Objects;

/** Composes tests of conditions from tests of columns. */
public final class RowTests {
  private RowTests() {}

  public static <S> RowTest<S> of(Condition condition, Leaves<S> leaves, Bindings values) {
    return switch (condition) {
      case Condition.Always(boolean value) -> new Fixed<>(RowTest.truth(value));
      case Condition.Compare(var column, var operator, var operand) ->
          leaves.compare(column, Comparison.of(operator), value(values, operand));
      case Condition.In(var column, var operands) -> leaves.in(column, values.list(operands));
      case Condition.IsNull(var column) -> leaves.isNull(column);
      case Condition.StartsWith(var column, var operand) ->
          leaves.startsWith(column, (String) value(values, operand));
      case Condition.Like(var column, var operand) ->
          leaves.text(column, LikePattern.of((String) value(values, operand))::matches);
      case Condition.HasWords(var column, var words, var operand) ->
          leaves.text(column, TextConditions.test(words, value(values, operand)));
      case Condition.AnyMatch(var column, var element) -> leaves.anyMatch(column, element, values);
      case Condition.And(var parts) -> new All<>(all(parts, leaves, values));
      case Condition.Or(var parts) -> new Any<>(all(parts, leaves, values));
      case Condition.Not(var part) -> new Opposite<>(of(part, leaves, values));
    };
  }

  private static Object value(Bindings values, Operand operand) {
    return Objects.requireNonNull(values.element(operand), "operand");
  }

  @SuppressWarnings("unchecked") // an array of tests of one kind of row
  private static <S> RowTest<S>[] all(List<Condition> parts, Leaves<S> leaves, Bindings values) {
    RowTest<S>[] tests = (RowTest<S>[]) new RowTest<?>[parts.size()];
    for (int i = 0; i < tests.length; i++) {
      tests[i] = of(parts.get(i), leaves, values);
    }
    return tests;
  }

  /** The same for every row. */
  static final class Fixed<S> extends RowTest<S> {
    private final int truth;

    Fixed(int truth) {
      this.truth = truth;
    }

    @Override
    int truth(S row) {
      return truth;
    }
  }

  private static final class All<S> extends RowTest<S> {
    private final RowTest<S>[] parts;

    All(RowTest<S>[] parts) {
      this.parts = parts;
    }

    @Override
    int truth(S row) {
      int all = TRUE;
      for (RowTest<S> part : parts) {
        int one = part.truth(row);
        if (one == FALSE) {
          return FALSE;
        }
        all = Math.min(all, one);
      }
      return all;
    }
  }

  private static final class Any<S> extends RowTest<S> {
    private final RowTest<S>[] parts;

    Any(RowTest<S>[] parts) {
      this.parts = parts;
    }

    @Override
    int truth(S row) {
      int any = FALSE;
      for (RowTest<S> part : parts) {
        int one = part.truth(row);
        if (one == TRUE) {
          return TRUE;
        }
        any = Math.max(any, one);
      }
      return any;
    }
  }

  private static final class Opposite<S> extends RowTest<S> {
    private final RowTest<S> part;

    Opposite(RowTest<S> part) {
      this.part = part;
    }

    @Override
    int truth(S row) {
      return -part.truth(row);
    }
  }
}
