package dev.tidemark.records.internal.query.condition;

import dev.tidemark.records.internal.query.condition.Condition.Compare;
import dev.tidemark.records.internal.query.condition.Condition.In;
import dev.tidemark.records.internal.query.condition.Condition.IsNull;
import dev.tidemark.records.internal.query.condition.Condition.Not;
import dev.tidemark.records.internal.query.condition.Condition.Operator;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Simplifies the comparisons of each column in a conjunction: it drops equalities and values of In
 * that other comparisons exclude, and keeps the tightest lower and upper bounds.
 */
public final class Narrowing {
  private final List<Condition> others = new ArrayList<>();
  private final Map<ColumnSpec, Facts> columns = new LinkedHashMap<>();

  /** The comparisons of one column. */
  private static final class Facts {
    private @Nullable List<@Nullable Object> values;
    private @Nullable Compare lower;
    private @Nullable Compare upper;
    private final List<Compare> different = new ArrayList<>();
    private boolean isNull;
    private boolean notNull;
  }

  private Narrowing() {}

  /** The parts of a conjunction equivalent to {@code parts}. */
  static List<Condition> of(Collection<Condition> parts) {
    Narrowing narrowing = new Narrowing();
    parts.forEach(narrowing::add);
    List<Condition> narrowed = new ArrayList<>();
    for (Map.Entry<ColumnSpec, Facts> column : narrowing.columns.entrySet()) {
      List<Condition> said = conditions(column.getKey(), column.getValue());
      if (said.contains(new Condition.Always(false))) {
        return List.of(new Condition.Always(false));
      }
      narrowed.addAll(said);
    }
    narrowed.addAll(narrowing.others);
    return narrowed;
  }

  private void add(Condition part) {
    switch (part) {
      case Compare compare when compare.operand() instanceof Operand.Value -> add(compare);
      case In(var column, Operand.Value(Object list)) when list != null ->
          keep(facts(column), new ArrayList<>((List<?>) list));
      case IsNull(var column) -> facts(column).isNull = true;
      case Not(IsNull(var column)) -> facts(column).notNull = true;
      default -> others.add(part);
    }
  }

  private void add(Compare compare) {
    Facts facts = facts(compare.column());
    switch (compare.operator()) {
      case EQ -> keep(facts, List.of(value(compare)));
      case NE -> facts.different.add(compare);
      case LT, LE -> facts.upper = tighter(facts.upper, compare, -1);
      case GT, GE -> facts.lower = tighter(facts.lower, compare, 1);
    }
  }

  private Facts facts(ColumnSpec column) {
    return columns.computeIfAbsent(column, key -> new Facts());
  }

  /** The values of an In are in order already. */
  private static void keep(Facts facts, List<@Nullable Object> values) {
    List<@Nullable Object> known = facts.values;
    if (known == null) {
      facts.values = new ArrayList<>(values);
    } else {
      known.removeIf(
          value -> Collections.binarySearch(values, value, ElementOrder.NULLS_FIRST) < 0);
    }
  }

  /** The stricter of two bounds on one side. */
  private static Compare tighter(@Nullable Compare known, Compare other, int direction) {
    if (known == null) {
      return other;
    }
    int order = ElementOrder.NULLS_FIRST.compare(value(other), value(known)) * direction;
    boolean strict = other.operator() == Operator.LT || other.operator() == Operator.GT;
    return order > 0 || (order == 0 && strict) ? other : known;
  }

  private static Object value(Compare compare) {
    Object value = ((Operand.Value) compare.operand()).element();
    if (value == null) {
      throw new IllegalArgumentException(
          "A column is compared with null; ask whether it is null instead");
    }
    return value;
  }

  private static List<Condition> conditions(ColumnSpec column, Facts facts) {
    boolean compared =
        facts.values != null
            || facts.lower != null
            || facts.upper != null
            || !facts.different.isEmpty();
    if (facts.isNull && (compared || facts.notNull)) {
      return List.of(new Condition.Always(false));
    }
    if (facts.isNull) {
      return List.of(new IsNull(column));
    }
    if (facts.values != null) {
      return oneOf(column, facts, facts.values);
    }
    return compared ? bounds(facts) : List.of(new Not(new IsNull(column)));
  }

  private static List<Condition> oneOf(
      ColumnSpec column, Facts facts, List<@Nullable Object> values) {
    List<Condition> bounds = bounds(facts);
    List<@Nullable Object> left = new ArrayList<>();
    for (Object value : values) {
      if (bounds.stream().allMatch(bound -> meets(value, (Compare) bound))) {
        left.add(value);
      }
    }
    return List.of(
        switch (left.size()) {
          case 0 -> new Condition.Always(false);
          case 1 -> new Compare(column, Operator.EQ, new Operand.Value(left.getFirst()));
          default -> new In(column, new Operand.Value(left));
        });
  }

  private static List<Condition> bounds(Facts facts) {
    List<Condition> bounds = new ArrayList<>();
    if (facts.lower != null) {
      bounds.add(facts.lower);
    }
    if (facts.upper != null) {
      bounds.add(facts.upper);
    }
    bounds.addAll(facts.different);
    return bounds;
  }

  /** Whether {@code value} meets a comparison with a value. */
  public static boolean meets(@Nullable Object value, Compare compare) {
    return meets(value, compare.operator(), value(compare));
  }

  public static boolean meets(@Nullable Object value, Operator operator, @Nullable Object operand) {
    int order = ElementOrder.NULLS_FIRST.compare(value, operand);
    return switch (operator) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }
}
