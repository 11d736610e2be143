package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.AnyMatch;
import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.HasWords;
import dev.tidemark.records.internal.query.condition.Condition.In;
import dev.tidemark.records.internal.query.condition.Condition.IsNull;
import dev.tidemark.records.internal.query.condition.Condition.Like;
import dev.tidemark.records.internal.query.condition.Condition.Not;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Condition.StartsWith;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A conjunction of conditions, with the constraints that it gives to columns.
 *
 * @param parts the conditions
 */
record Conjunction(List<Condition> parts) {
  /** Copies the list. */
  Conjunction {
    parts = List.copyOf(parts);
  }

  /**
   * A constraint of a column to one or several values.
   *
   * @param leading the constraint of an access
   * @param condition the condition that it implements exactly
   */
  record Point(Leading leading, Condition condition) {}

  /**
   * A constraint of a column to bounds.
   *
   * @param range the constraint of an access
   * @param conditions the conditions that it implements exactly
   */
  record Bounds(Range range, List<Condition> conditions) {}

  /** The values that {@code column} must have, one or several. */
  Optional<Point> point(ColumnSpec column) {
    return single(column).or(() -> oneOf(column));
  }

  private Optional<Point> single(ColumnSpec column) {
    for (Condition part : parts) {
      if (part instanceof Compare(var compared, var operator, var operand)
          && operator == Operator.EQ
          && compared.equals(column)) {
        return Optional.of(new Point(new Leading.Equal(operand), part));
      }
      if (part instanceof IsNull(var asked) && asked.equals(column)) {
        return Optional.of(new Point(new Leading.Null(), part));
      }
    }
    return Optional.empty();
  }

  private Optional<Point> oneOf(ColumnSpec column) {
    for (Condition part : parts) {
      if (part instanceof In(var compared, var operands) && compared.equals(column)) {
        return Optional.of(new Point(new Leading.EachOf(operands), part));
      }
    }
    return Optional.empty();
  }

  /** Whether all matching records have the same value in {@code column}. */
  boolean isConstant(ColumnSpec column) {
    return single(column).isPresent();
  }

  /** The bounds within which {@code column} must lie. */
  Optional<Bounds> bounds(ColumnSpec column) {
    List<Range.Bound> lower = new ArrayList<>();
    List<Range.Bound> upper = new ArrayList<>();
    List<Condition> answered = new ArrayList<>();
    for (Condition part : parts) {
      if (part instanceof StartsWith(var compared, var operand) && compared.equals(column)) {
        return Optional.of(new Bounds(new Range.Prefix(operand), List.of(part)));
      }
      if (part instanceof Compare(var compared, var operator, var operand)
          && compared.equals(column)) {
        switch (operator) {
          case LT, LE -> upper.add(new Range.Bound(operand, operator == Operator.LE));
          case GT, GE -> lower.add(new Range.Bound(operand, operator == Operator.GE));
          case EQ, NE -> {
            continue;
          }
        }
        answered.add(part);
      }
    }
    return answered.isEmpty()
        ? notNull(column)
        : Optional.of(new Bounds(new Range.Between(lower, upper), answered));
  }

  private Optional<Bounds> notNull(ColumnSpec column) {
    Condition asked = new Not(new IsNull(column));
    return parts.contains(asked)
        ? Optional.of(new Bounds(new Range.NotNull(), List.of(asked)))
        : Optional.empty();
  }

  /** Whether no matching record has null in {@code column}. */
  boolean isNotNull(ColumnSpec column) {
    for (Condition part : parts) {
      boolean excludes =
          switch (part) {
            case Compare compare -> compare.column().equals(column);
            case In in -> in.column().equals(column);
            case StartsWith startsWith -> startsWith.column().equals(column);
            case Like like -> like.column().equals(column);
            case HasWords words -> words.column().equals(column);
            case Not(IsNull(var asked)) -> asked.equals(column);
            case Not(In in) -> in.column().equals(column);
            case Not(StartsWith startsWith) -> startsWith.column().equals(column);
            case Not(Like like) -> like.column().equals(column);
            case Not(HasWords words) -> words.column().equals(column);
            case Not not -> false;
            case IsNull isNull -> false;
            case AnyMatch match -> false;
            case Condition.And and -> false;
            case Condition.Or or -> false;
            case Condition.Always always -> false;
          };
      if (excludes) {
        return true;
      }
    }
    return false;
  }

  /** The parts that test elements of {@code column}, which fans out once. */
  List<Condition> elementsOf(ColumnSpec column) {
    return parts.stream().filter(part -> asksElements(part, column)).toList();
  }

  /** Whether {@code part} tests elements of {@code column}, or single words in it. */
  static boolean asksElements(Condition part, ColumnSpec column) {
    if (part instanceof AnyMatch match) {
      List<ColumnSpec.Step> list = match.column().path();
      return column.path().size() >= list.size()
          && column.path().subList(0, list.size()).equals(list);
    }
    return part instanceof HasWords words
        && words.words() != Condition.Words.PHRASE
        && TextConditions.words(words.column()).equals(column);
  }

  /** The constraints that {@code part} makes on one element, on columns of the record. */
  static Conjunction ofElement(Condition part) {
    return part instanceof HasWords words
        ? new Conjunction(List.of(TextConditions.ofWord(words)))
        : of((AnyMatch) part);
  }

  /** The constraints that {@code match} makes on one element, on columns of the record. */
  static Conjunction of(AnyMatch match) {
    List<Condition> parts = new ArrayList<>();
    for (Condition part : Normalizer.conjuncts(match.element())) {
      switch (part) {
        case Compare(var column, var operator, var operand) ->
            parts.add(new Compare(within(match, column), operator, operand));
        case In(var column, var operands) -> parts.add(new In(within(match, column), operands));
        case IsNull(var column) -> parts.add(new IsNull(within(match, column)));
        case StartsWith(var column, var operand) ->
            parts.add(new StartsWith(within(match, column), operand));
        case Not(IsNull(var column)) -> parts.add(new Not(new IsNull(within(match, column))));
        case Not not -> {}
        case Like like -> {}
        case HasWords words -> {}
        case AnyMatch inner -> {}
        case Condition.And and -> {}
        case Condition.Or or -> {}
        case Condition.Always always -> {}
      }
    }
    return new Conjunction(parts);
  }

  private static ColumnSpec within(AnyMatch match, ColumnSpec column) {
    if (column.equals(Condition.ELEMENT)) {
      return match.column();
    }
    List<ColumnSpec.Step> path = new ArrayList<>(match.column().path());
    path.addAll(column.path());
    return new ColumnSpec(path, false);
  }
}
