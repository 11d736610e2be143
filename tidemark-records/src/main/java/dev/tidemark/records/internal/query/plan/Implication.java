package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.HasWords;
import dev.tidemark.records.internal.query.condition.Condition.In;
import dev.tidemark.records.internal.query.condition.Condition.IsNull;
import dev.tidemark.records.internal.query.condition.Condition.Like;
import dev.tidemark.records.internal.query.condition.Condition.Not;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Condition.StartsWith;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.internal.query.condition.Narrowing;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Whether a query implies the filter of an index depends on its values, which plans do not contain. So implications are
 * computed before the lookup of a plan and are part of its cache key: two queries of one shape share a plan only if the
 * same implications hold for both. Values that no filter compares do not matter.
 */

/**
 * An implication between a condition of a query and a comparison of an index filter.
 *
 * @param condition a part of the condition of a query
 * @param comparison a part of the filter of an index
 * @param byIndex whether the condition follows from the comparison; otherwise the comparison
 *     follows from the condition
 */
record Implication(Condition condition, IndexFilter.Comparison comparison, boolean byIndex) {
  /** All implications between parts of {@code condition} and filters of indexes. */
  static Set<Implication> all(Catalog catalog, Condition condition, Bindings bindings) {
    List<IndexFilter.Comparison> comparisons = catalog.filters();
    if (comparisons.isEmpty()) {
      return Set.of();
    }
    Set<Implication> found = new LinkedHashSet<>();
    collect(condition, comparisons, bindings, found);
    return found;
  }

  private static void collect(
      Condition condition,
      List<IndexFilter.Comparison> comparisons,
      Bindings bindings,
      Set<Implication> into) {
    switch (condition) {
      case Condition.And(var parts) ->
          parts.forEach(part -> collect(part, comparisons, bindings, into));
      case Condition.Or(var parts) ->
          parts.forEach(part -> collect(part, comparisons, bindings, into));
      case Compare compare -> compare(compare, comparisons, bindings, into);
      case In in -> in(in, comparisons, bindings, into);
      case IsNull(var column) -> {
        for (IndexFilter.Comparison comparison : comparisons) {
          if (comparison.column().equals(column)
              && comparison.operator() == IndexFilter.Operator.IS_NULL) {
            into.add(new Implication(condition, comparison, false));
            into.add(new Implication(condition, comparison, true));
          }
        }
      }
      case StartsWith startsWith -> notNull(startsWith, startsWith.column(), comparisons, into);
      case Like like -> notNull(like, like.column(), comparisons, into);
      case HasWords words -> notNull(words, words.column(), comparisons, into);
      case Not(Condition part) -> negated(condition, part, comparisons, into);
      case Condition.Always always -> {}
      case Condition.AnyMatch match -> {}
    }
  }

  private static void negated(
      Condition whole,
      Condition part,
      List<IndexFilter.Comparison> comparisons,
      Set<Implication> into) {
    switch (part) {
      case IsNull(var column) -> {
        notNull(whole, column, comparisons, into);
        for (IndexFilter.Comparison comparison : comparisons) {
          if (comparison.column().equals(column)
              && comparison.operator() != IndexFilter.Operator.IS_NULL) {
            into.add(new Implication(whole, comparison, true));
          }
        }
      }
      case In in -> notNull(whole, in.column(), comparisons, into);
      case StartsWith startsWith -> notNull(whole, startsWith.column(), comparisons, into);
      case Like like -> notNull(whole, like.column(), comparisons, into);
      case HasWords words -> notNull(whole, words.column(), comparisons, into);
      case Compare compare -> notNull(whole, compare.column(), comparisons, into);
      case Condition.And and -> {}
      case Condition.Or or -> {}
      case Condition.Not not -> {}
      case Condition.Always always -> {}
      case Condition.AnyMatch match -> {}
    }
  }

  private static void notNull(
      Condition condition,
      ColumnSpec column,
      List<IndexFilter.Comparison> comparisons,
      Set<Implication> into) {
    for (IndexFilter.Comparison comparison : comparisons) {
      if (comparison.column().equals(column)
          && comparison.operator() == IndexFilter.Operator.IS_NOT_NULL) {
        into.add(new Implication(condition, comparison, false));
      }
    }
  }

  private static void compare(
      Compare compare,
      List<IndexFilter.Comparison> comparisons,
      Bindings bindings,
      Set<Implication> into) {
    notNull(compare, compare.column(), comparisons, into);
    Object value = bindings.element(compare.operand());
    for (IndexFilter.Comparison comparison : comparisons) {
      Operator operator = operator(comparison.operator());
      if (operator == null || !comparison.column().equals(compare.column())) {
        continue;
      }
      if (follows(compare.operator(), value, operator, comparison.operand())) {
        into.add(new Implication(compare, comparison, false));
      }
      if (follows(operator, comparison.operand(), compare.operator(), value)) {
        into.add(new Implication(compare, comparison, true));
      }
    }
  }

  private static void in(
      In in, List<IndexFilter.Comparison> comparisons, Bindings bindings, Set<Implication> into) {
    notNull(in, in.column(), comparisons, into);
    List<?> values = bindings.list(in.operands());
    for (IndexFilter.Comparison comparison : comparisons) {
      Operator operator = operator(comparison.operator());
      if (operator == null || !comparison.column().equals(in.column())) {
        continue;
      }
      if (values.stream()
          .allMatch(value -> Narrowing.meets(value, operator, comparison.operand()))) {
        into.add(new Implication(in, comparison, false));
      }
      if (operator == Operator.EQ
          && values.stream()
              .anyMatch(
                  value -> ElementOrder.NULLS_FIRST.compare(value, comparison.operand()) == 0)) {
        into.add(new Implication(in, comparison, true));
      }
    }
  }

  private static @Nullable Operator operator(IndexFilter.Operator operator) {
    return switch (operator) {
      case EQ -> Operator.EQ;
      case NE -> Operator.NE;
      case LT -> Operator.LT;
      case LE -> Operator.LE;
      case GT -> Operator.GT;
      case GE -> Operator.GE;
      case IS_NULL, IS_NOT_NULL -> null;
    };
  }

  /** Whether every value that meets the first comparison meets the second. */
  static boolean follows(
      Operator first, @Nullable Object known, Operator second, @Nullable Object asked) {
    int order = ElementOrder.NULLS_FIRST.compare(known, asked);
    return switch (first) {
      case EQ -> Narrowing.meets(known, second, asked);
      case NE -> second == Operator.NE && order == 0;
      case LT ->
          switch (second) {
            case LT, LE, NE -> order <= 0;
            case EQ, GT, GE -> false;
          };
      case LE ->
          switch (second) {
            case LT, NE -> order < 0;
            case LE -> order <= 0;
            case EQ, GT, GE -> false;
          };
      case GT ->
          switch (second) {
            case GT, GE, NE -> order >= 0;
            case EQ, LT, LE -> false;
          };
      case GE ->
          switch (second) {
            case GT, NE -> order > 0;
            case GE -> order >= 0;
            case EQ, LT, LE -> false;
          };
    };
  }
}
