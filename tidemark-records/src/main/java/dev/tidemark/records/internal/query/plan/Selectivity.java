package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Estimates the fraction of records that meet a condition, or of entries in an access. */
final class Selectivity {
  /** The largest number of values of a list that are looked up. */
  private static final int VALUES_LOOKED_UP = 16;

  private static final double LIKE = 0.1;
  private static final double ELEMENT = 0.05;

  /** Beside the words of the phrase, which are asked for as well. */
  private static final double PHRASE = 0.3;

  private final Catalog catalog;
  private final Bindings bindings;

  /** The results of conditions, which many plans of a query share. */
  private final IdentityHashMap<Condition, Double> known = new IdentityHashMap<>();

  Selectivity(Catalog catalog, Bindings bindings) {
    this.catalog = catalog;
    this.bindings = bindings;
  }

  /** The fraction of records that meet {@code condition}. */
  double of(Condition condition) {
    Double found = known.get(condition);
    if (found == null) {
      found = Math.clamp(fraction(condition), 0, 1);
      known.put(condition, found);
    }
    return found;
  }

  private double fraction(Condition condition) {
    return switch (condition) {
      case Condition.Always(boolean value) -> value ? 1 : 0;
      case Condition.Compare compare -> compare(compare);
      case Condition.In(var column, var operands) -> in(column, operands);
      case Condition.IsNull(var column) -> equal(column, null);
      case Condition.StartsWith(var column, var operand) -> within(column, startingWith(operand));
      case Condition.Like like -> LIKE;
      case Condition.HasWords words -> words(words);
      case Condition.AnyMatch match -> ofElements(match);
      case Condition.And(var parts) -> all(parts);
      case Condition.Or(var parts) -> {
        double none = 1;
        for (Condition part : parts) {
          none *= 1 - of(part);
        }
        yield 1 - none;
      }
      case Condition.Not(var part) -> 1 - of(part);
    };
  }

  /** Two bounds of one column are one interval, not two independent conditions. */
  private double all(List<Condition> parts) {
    Conjunction conjunction = new Conjunction(parts);
    List<ColumnSpec> bounded = new ArrayList<>();
    double fraction = 1;
    for (Condition part : parts) {
      if (part instanceof Condition.Compare(var column, var operator, var operand)
          && operator != Condition.Operator.EQ
          && operator != Condition.Operator.NE) {
        if (!bounded.contains(column)) {
          bounded.add(column);
          Range range = conjunction.bounds(column).orElseThrow().range();
          fraction *= within(column, interval(range));
        }
      } else {
        fraction *= of(part);
      }
    }
    return fraction;
  }

  private double compare(Condition.Compare compare) {
    Object value = bindings.element(compare.operand());
    ColumnSpec column = compare.column();
    return switch (compare.operator()) {
      case EQ -> equal(column, value);
      case NE -> within(column, Interval.NOT_NULL) - equal(column, value);
      case LT -> within(column, new Interval(null, true, value, false));
      case LE -> within(column, new Interval(null, true, value, true));
      case GT -> within(column, new Interval(value, false, null, true));
      case GE -> within(column, new Interval(value, true, null, true));
    };
  }

  private double in(ColumnSpec column, Operand operands) {
    List<?> values = bindings.list(operands);
    double sum = 0;
    int looked = Math.min(values.size(), VALUES_LOOKED_UP);
    for (int i = 0; i < looked; i++) {
      sum += equal(column, sample(values, looked, i));
    }
    return looked == 0 ? 0 : sum * values.size() / looked;
  }

  /** The {@code number}-th of {@code count} values spread evenly over {@code values}. */
  private static @Nullable Object sample(List<?> values, int count, int number) {
    return values.get((int) ((long) number * values.size() / count));
  }

  /** Uses the statistics of an index that begins with the elements, if there is one. */
  private double ofElements(Condition.AnyMatch match) {
    Conjunction asked = Conjunction.of(match);
    for (Route route : catalog.indexes()) {
      ColumnSpec first = Planner.ascending(route.key().getFirst());
      Optional<Conjunction.Point> point = asked.point(first);
      if (first.fansOut() && point.isPresent() && route.filter().isEmpty()) {
        return ofEntries(route, List.of(point.get().leading()), new Range.All());
      }
    }
    return ELEMENT;
  }

  /** Uses the statistics of an index that begins with the words, if there is one. */
  private double words(Condition.HasWords condition) {
    if (condition.words() == Condition.Words.PHRASE) {
      return PHRASE;
    }
    ColumnSpec column = TextConditions.words(condition.column());
    Conjunction asked = Conjunction.ofElement(condition);
    List<Leading> leading = asked.point(column).map(Conjunction.Point::leading).stream().toList();
    Range range = leading.isEmpty() ? asked.bounds(column).orElseThrow().range() : new Range.All();
    for (Route route : catalog.indexes()) {
      boolean hasAll =
          route.filter().stream().allMatch(only -> isNotNull(only, condition.column()));
      if (hasAll && route.key().getFirst().equals(column)) {
        return ofEntries(route, leading, range);
      }
    }
    return leading.isEmpty() ? Guess.column(interval(range)) : points(leading.getFirst());
  }

  private static boolean isNotNull(IndexFilter.Comparison comparison, ColumnSpec column) {
    return comparison.operator() == IndexFilter.Operator.IS_NOT_NULL
        && comparison.column().equals(column);
  }

  private double points(Leading leading) {
    return leading instanceof Leading.EachOf(var operands)
        ? bindings.list(operands).size() * Guess.EQUAL
        : Guess.EQUAL;
  }

  /** The fraction of records that have the entries of {@code route} in some part of it. */
  private double ofEntries(Route route, List<Leading> leading, Range range) {
    double fraction = of(route, new Access(route.index(), leading, range, false));
    return Math.min(1, fraction * route.statistics().entries() / rows());
  }

  private double rows() {
    return Math.max(1, catalog.statistics().rows());
  }

  private double equal(ColumnSpec column, @Nullable Object value) {
    if (value == null && !catalog.isNullable(column)) {
      return 0;
    }
    Route route = ledBy(column);
    if (route != null) {
      List<@Nullable Object> prefix = new ArrayList<>();
      prefix.add(value);
      return route.statistics().equal(prefix);
    }
    return value == null ? Guess.NULL : Guess.EQUAL;
  }

  private double within(ColumnSpec column, Interval interval) {
    Route route = ledBy(column);
    if (route != null) {
      return route.statistics().within(List.of(), interval);
    }
    return interval.equals(Interval.NOT_NULL) && !catalog.isNullable(column)
        ? 1
        : Guess.column(interval);
  }

  /** A route whose statistics are about {@code column} in all records. */
  private @Nullable Route ledBy(ColumnSpec column) {
    Route guessed = null;
    for (Route route : catalog.indexes()) {
      boolean leads =
          route.key().getFirst().path().equals(column.path())
              && route.filter().isEmpty()
              && !route.fansOut();
      if (leads && !(route.statistics() instanceof Guess)) {
        return route;
      }
      guessed = leads ? route : guessed;
    }
    boolean leads = catalog.records().key().getFirst().equals(column);
    return guessed == null && leads ? catalog.records() : guessed;
  }

  /** The fraction of the entries of its route that lie in {@code access}. */
  double of(Route route, Access access) {
    return Math.clamp(fraction(route, access, 0, new ArrayList<>()), 0, 1);
  }

  private double fraction(Route route, Access access, int place, List<@Nullable Object> prefix) {
    if (place == access.leading().size()) {
      return ranged(route, access.range(), place, prefix);
    }
    return switch (access.leading().get(place)) {
      case Leading.Equal(var operand) ->
          fraction(route, access, place + 1, with(prefix, bindings.element(operand)));
      case Leading.Null none -> fraction(route, access, place + 1, with(prefix, null));
      case Leading.EachOf(var operands) -> {
        List<?> values = bindings.list(operands);
        int looked = Math.min(values.size(), prefix.isEmpty() ? VALUES_LOOKED_UP : 1);
        double sum = 0;
        for (int i = 0; i < looked; i++) {
          sum += fraction(route, access, place + 1, with(prefix, sample(values, looked, i)));
        }
        yield looked == 0 ? 0 : sum * values.size() / looked;
      }
      case Leading.Any any -> {
        double fraction = equal(route, prefix);
        for (int i = place + 1; i < access.leading().size(); i++) {
          fraction *= point(Planner.ascending(route.key().get(i)), access.leading().get(i));
        }
        yield access.range() instanceof Range.All
            ? fraction
            : fraction
                * within(
                    Planner.ascending(route.key().get(access.leading().size())),
                    interval(access.range()));
      }
    };
  }

  private double point(ColumnSpec column, Leading leading) {
    return switch (leading) {
      case Leading.Equal(var operand) -> equal(column, bindings.element(operand));
      case Leading.Null none -> equal(column, null);
      case Leading.EachOf(var operands) -> Math.min(1, in(column, operands));
      case Leading.Any any -> 1;
    };
  }

  private double ranged(Route route, Range range, int place, List<@Nullable Object> prefix) {
    if (range instanceof Range.All) {
      return equal(route, prefix);
    }
    if (place < route.width()) {
      return route.statistics().within(prefix, interval(range));
    }
    return equal(route, prefix) * Guess.column(interval(range));
  }

  /** Behind the columns of an index comes the primary key, by which entries differ. */
  private static double equal(Route route, List<@Nullable Object> prefix) {
    if (prefix.isEmpty()) {
      return 1;
    }
    if (prefix.size() <= route.width()) {
      return route.statistics().equal(prefix);
    }
    double columns = route.statistics().equal(prefix.subList(0, route.width()));
    double entries = Math.max(1, route.statistics().entries());
    return prefix.size() == route.key().size()
        ? Math.min(columns, 1 / entries)
        : columns * Math.pow(Guess.EQUAL, prefix.size() - route.width());
  }

  private static List<@Nullable Object> with(List<@Nullable Object> prefix, @Nullable Object next) {
    List<@Nullable Object> longer = new ArrayList<>(prefix);
    longer.add(next);
    return longer;
  }

  private Interval startingWith(Operand operand) {
    return Interval.startingWith(String.valueOf(bindings.element(operand)));
  }

  private Interval interval(Range range) {
    return switch (range) {
      case Range.All all -> Interval.NOT_NULL;
      case Range.NotNull notNull -> Interval.NOT_NULL;
      case Range.Prefix(var operand) -> startingWith(operand);
      case Range.Between(var lower, var upper) ->
          new Interval(
              lower.isEmpty() ? null : bindings.element(lower.getFirst().operand()),
              lower.isEmpty() || lower.getFirst().inclusive(),
              upper.isEmpty() ? null : bindings.element(upper.getFirst().operand()),
              upper.isEmpty() || upper.getFirst().inclusive());
    };
  }
}
