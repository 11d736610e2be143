package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.internal.query.condition.Condition.Always;
import dev.tidemark.records.internal.query.condition.Condition.And;
import dev.tidemark.records.internal.query.condition.Condition.AnyMatch;
import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.HasWords;
import dev.tidemark.records.internal.query.condition.Condition.In;
import dev.tidemark.records.internal.query.condition.Condition.IsNull;
import dev.tidemark.records.internal.query.condition.Condition.Like;
import dev.tidemark.records.internal.query.condition.Condition.Not;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.internal.query.condition.Condition.Or;
import dev.tidemark.records.internal.query.condition.Condition.StartsWith;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Negations go down to single comparisons, which is right in three-valued logic: the opposite of a comparison
 * is unknown where the comparison is, and And and Or follow De Morgan. After that nothing asks for the
 * difference between false and unknown, and what can never be true may be called false. Within the element of
 * a negated AnyMatch the difference still matters; there only rewrites that keep it are done ("strict").
 *
 * Nothing here multiplies out: the result is never larger than the condition, but for a prefix beside a LIKE and words
 * beside a phrase.
 */

/** Converts conditions to the normal form of the planner. */
public final class Normalizer {
  /** Whether unknown must stay unknown. */
  private final boolean strict;

  private Normalizer(boolean strict) {
    this.strict = strict;
  }

  /**
   * A condition that is true for the same records as {@code condition}: negations only before
   * single comparisons without an opposite, no And in an And and no Or in an Or, each part once,
   * equalities of one column joined by Or as one In.
   *
   * @param condition its operands are values
   */
  public static Condition normalize(Condition condition) {
    return new Normalizer(false).positive(condition);
  }

  private Condition positive(Condition condition) {
    return switch (condition) {
      case Always always -> always;
      case Compare compare -> compare;
      case In(var column, Operand.Value(Object list)) when list != null ->
          oneOf(column, (List<?>) list);
      case In in -> in;
      case IsNull isNull -> isNull;
      case StartsWith startsWith -> startsWith;
      case Like like -> Patterns.simplify(like);
      case HasWords words -> TextConditions.simplify(words);
      case AnyMatch(var column, var element) -> ofElements(new AnyMatch(column, positive(element)));
      case And(var parts) -> and(parts.stream().map(this::positive).toList());
      case Or(var parts) -> or(parts.stream().map(this::positive).toList());
      case Not(var part) -> negative(part);
    };
  }

  private Condition negative(Condition condition) {
    return switch (condition) {
      case Always(boolean value) -> new Always(!value);
      case Compare(var column, var operator, var operand) ->
          new Compare(column, opposite(operator), operand);
      case In in -> notIn(in);
      case IsNull isNull -> new Not(isNull);
      case StartsWith startsWith -> new Not(startsWith);
      case Like like -> new Not(like);
      case HasWords words -> new Not(TextConditions.canonical(words));
      case AnyMatch(var column, var element) ->
          new Not(new AnyMatch(column, new Normalizer(true).positive(element)));
      case And(var parts) -> or(parts.stream().map(this::negative).toList());
      case Or(var parts) -> and(parts.stream().map(this::negative).toList());
      case Not(var part) -> positive(part);
    };
  }

  static Operator opposite(Operator operator) {
    return switch (operator) {
      case EQ -> Operator.NE;
      case NE -> Operator.EQ;
      case LT -> Operator.GE;
      case LE -> Operator.GT;
      case GT -> Operator.LE;
      case GE -> Operator.LT;
    };
  }

  private Condition ofElements(AnyMatch match) {
    boolean never = match.element() instanceof Always(boolean value) && !value;
    return never && !strict ? new Always(false) : match;
  }

  /**
   * With null among the values, a value that is not found is unknown, which is equivalent to false.
   */
  private Condition oneOf(ColumnSpec column, List<?> values) {
    List<@Nullable Object> sorted = sorted(values);
    if (!strict) {
      sorted.remove(null);
    }
    if (sorted.isEmpty() && !strict) {
      return new Always(false);
    }
    return sorted.size() == 1 && sorted.getFirst() != null
        ? new Compare(column, Operator.EQ, new Operand.Value(sorted.getFirst()))
        : new In(column, new Operand.Value(sorted));
  }

  private Condition notIn(In in) {
    if (strict || !(in.operands() instanceof Operand.Value(Object list)) || list == null) {
      return new Not(in);
    }
    List<@Nullable Object> sorted = sorted((List<?>) list);
    if (sorted.contains(null)) {
      return new Always(false);
    }
    return switch (sorted.size()) {
      case 0 -> new Not(new IsNull(in.column()));
      case 1 -> new Compare(in.column(), Operator.NE, new Operand.Value(sorted.getFirst()));
      default -> new Not(new In(in.column(), new Operand.Value(sorted)));
    };
  }

  /** The values in the order of keys, each once. */
  static List<@Nullable Object> sorted(List<?> values) {
    List<@Nullable Object> sorted = new ArrayList<>(values);
    sorted.sort(ElementOrder.NULLS_FIRST);
    List<@Nullable Object> distinct = new ArrayList<>(sorted.size());
    for (Object value : sorted) {
      if (distinct.isEmpty() || ElementOrder.NULLS_FIRST.compare(distinct.getLast(), value) != 0) {
        distinct.add(value);
      }
    }
    return distinct;
  }

  private Condition and(List<Condition> parts) {
    Set<Condition> flat = new LinkedHashSet<>();
    for (Condition part : parts) {
      if (part instanceof And(var inner)) {
        flat.addAll(inner);
      } else {
        flat.add(part);
      }
    }
    flat.remove(new Always(true));
    if (flat.contains(new Always(false))) {
      return new Always(false);
    }
    return all(strict ? List.copyOf(flat) : Narrowing.of(flat));
  }

  /** The conjunction of {@code parts}. */
  public static Condition all(List<Condition> parts) {
    return switch (parts.size()) {
      case 0 -> new Always(true);
      case 1 -> parts.getFirst();
      default -> new And(parts);
    };
  }

  private Condition or(List<Condition> parts) {
    Set<Condition> flat = new LinkedHashSet<>();
    for (Condition part : parts) {
      if (part instanceof Or(var inner)) {
        flat.addAll(inner);
      } else {
        flat.add(part);
      }
    }
    flat.remove(new Always(false));
    if (flat.contains(new Always(true))) {
      return new Always(true);
    }
    return factored(joined(flat));
  }

  private static Condition any(List<Condition> parts) {
    return switch (parts.size()) {
      case 0 -> new Always(false);
      case 1 -> parts.getFirst();
      default -> new Or(parts);
    };
  }

  /** Equalities of one column become one In. */
  private List<Condition> joined(Set<Condition> parts) {
    Map<ColumnSpec, List<@Nullable Object>> values = new LinkedHashMap<>();
    List<Condition> others = new ArrayList<>();
    for (Condition part : parts) {
      switch (part) {
        case Compare(var column, var operator, Operand.Value(Object element))
            when operator == Operator.EQ ->
            values.computeIfAbsent(column, key -> new ArrayList<>()).add(element);
        case In(var column, Operand.Value(Object list)) when list != null ->
            values.computeIfAbsent(column, key -> new ArrayList<>()).addAll((List<?>) list);
        default -> others.add(part);
      }
    }
    List<Condition> joined = new ArrayList<>();
    values.forEach((column, list) -> joined.add(oneOf(column, list)));
    joined.addAll(others);
    return joined;
  }

  /** Factors out what all alternatives have in common, so that an index can serve it. */
  private Condition factored(List<Condition> parts) {
    if (parts.size() < 2) {
      return any(parts);
    }
    Set<Condition> common = new LinkedHashSet<>(conjuncts(parts.getFirst()));
    for (Condition part : parts) {
      common.retainAll(Set.copyOf(conjuncts(part)));
    }
    if (common.isEmpty()) {
      return any(parts);
    }
    List<Condition> rests = new ArrayList<>();
    for (Condition part : parts) {
      List<Condition> rest = new ArrayList<>(conjuncts(part));
      rest.removeAll(common);
      rests.add(all(rest));
    }
    List<Condition> product = new ArrayList<>(common);
    product.add(or(rests));
    return and(product);
  }

  /** The parts of a conjunction; of anything else itself. */
  public static List<Condition> conjuncts(Condition condition) {
    return switch (condition) {
      case And(var parts) -> parts;
      case Always(boolean value) when value -> List.of();
      case Always always -> List.of(always);
      case Compare compare -> List.of(compare);
      case In in -> List.of(in);
      case IsNull isNull -> List.of(isNull);
      case StartsWith startsWith -> List.of(startsWith);
      case Like like -> List.of(like);
      case HasWords words -> List.of(words);
      case AnyMatch match -> List.of(match);
      case Or or -> List.of(or);
      case Not not -> List.of(not);
    };
  }
}
