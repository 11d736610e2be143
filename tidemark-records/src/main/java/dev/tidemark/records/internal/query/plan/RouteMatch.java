package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/*
 * A scan answers a condition exactly only by a column that does not fan out. Through a column that does, it finds
 * all records that can meet the condition, and others too if their list is null or an element differs in
 * another field; so that condition is asked again. Of words neither can be, so they are exact. Records without
 * elements have no entries, which is why each column that fans out must be asked about.
 */

/**
 * The part of a route that contains all records that meet a conjunction.
 *
 * @param route the route
 * @param leading the constraints on the first columns
 * @param range the constraint on the next column
 * @param used the conditions that the part was derived from
 * @param answered the conditions that the part implements exactly
 */
record RouteMatch(
    Route route, List<Leading> leading, Range range, Set<Condition> used, Set<Condition> answered) {
  /** The largest number of alternatives of lists, and of words, that are tried. */
  private static final int LISTS_MAX = 4;

  private static final int WORDS_MAX = 8;

  /** Copies the collections. */
  RouteMatch {
    leading = List.copyOf(leading);
    used = Set.copyOf(used);
    answered = Set.copyOf(answered);
  }

  Access access(boolean reverse) {
    return new Access(route.index(), leading, range, reverse);
  }

  /** Whether it has all entries of the route. */
  boolean isWhole() {
    return leading.isEmpty() && range instanceof Range.All;
  }

  /** Whether all its entries have the same columns, so that they are in order of primary keys. */
  boolean isOneValue() {
    return route.index().isPresent()
        && leading.size() >= route.width()
        && range instanceof Range.All
        && leading.stream()
            .allMatch(part -> part instanceof Leading.Equal || part instanceof Leading.Null);
  }

  /** Whether it is several ranges of keys that are known without reading. */
  boolean hasRanges() {
    return leading.stream().anyMatch(Leading.EachOf.class::isInstance)
        && leading.stream().noneMatch(Leading.Any.class::isInstance);
  }

  /** The parts of {@code route} that can serve {@code conjunction}; empty if it cannot. */
  static List<RouteMatch> of(Route route, Conjunction conjunction, Set<Implication> implications) {
    Optional<Set<Condition>> filtered = filtered(route, conjunction, implications);
    if (filtered.isEmpty()) {
      return List.of();
    }
    if (!route.fansOut()) {
      return new Builder(route, conjunction, filtered.get()).build();
    }
    Set<RouteMatch> matches = new LinkedHashSet<>();
    int most = route.hasWords() ? WORDS_MAX : LISTS_MAX;
    for (int choice = 0; choice < most; choice++) {
      Builder builder = new Builder(route, conjunction, filtered.get());
      if (builder.choose(choice)) {
        matches.addAll(builder.build());
      }
    }
    return List.copyOf(matches);
  }

  /**
   * The conditions that the filter of {@code route} implements; empty if {@code conjunction} does
   * not imply the filter.
   */
  private static Optional<Set<Condition>> filtered(
      Route route, Conjunction conjunction, Set<Implication> implications) {
    Set<Condition> answered = new LinkedHashSet<>();
    for (var comparison : route.filter()) {
      boolean implied = false;
      for (Condition part : conjunction.parts()) {
        implied |= implications.contains(new Implication(part, comparison, false));
        if (implications.contains(new Implication(part, comparison, true))) {
          answered.add(part);
        }
      }
      if (!implied) {
        return Optional.empty();
      }
    }
    return Optional.of(answered);
  }

  /** Matches the columns of a route one by one. */
  private static final class Builder {
    private final Route route;
    private final Conjunction conjunction;
    private final Set<Condition> filtered;
    private final List<Condition> chosen = new ArrayList<>();
    private final List<RouteMatch> found = new ArrayList<>();

    Builder(Route route, Conjunction conjunction, Set<Condition> filtered) {
      this.route = route;
      this.conjunction = conjunction;
      this.filtered = filtered;
    }

    /** Takes the {@code choice}-th condition on each list, or the last; false if there is none. */
    boolean choose(int choice) {
      int most = 0;
      for (ColumnSpec column : route.key()) {
        if (column.fansOut()) {
          List<Condition> candidates = conjunction.elementsOf(Planner.ascending(column));
          if (candidates.isEmpty()) {
            return false;
          }
          most = Math.max(most, candidates.size());
          chosen.add(candidates.get(Math.min(choice, candidates.size() - 1)));
        }
      }
      return choice < most;
    }

    List<RouteMatch> build() {
      extend(0, List.of(), Set.of(), Set.of(), false);
      return found;
    }

    private void extend(
        int place,
        List<Leading> leading,
        Set<Condition> used,
        Set<Condition> answered,
        boolean skipped) {
      if (place == route.key().size()) {
        add(leading, new Range.All(), used, answered);
        return;
      }
      ColumnSpec column = Planner.ascending(route.key().get(place));
      Optional<Conjunction.Point> point = asked(column).point(column);
      if (point.isPresent()) {
        Leading next = point.get().leading();
        if (next instanceof Leading.EachOf) {
          add(leading, new Range.All(), used, answered);
        }
        extend(
            place + 1,
            with(leading, next),
            with(used, using(column, point.get().condition())),
            isExact(column) ? with(answered, using(column, point.get().condition())) : answered,
            skipped);
        return;
      }
      Optional<Conjunction.Bounds> bounds = asked(column).bounds(column);
      if (bounds.isPresent()) {
        Set<Condition> conditions = Set.copyOf(bounds.get().conditions());
        Set<Condition> using = column.fansOut() ? Set.of(list(column)) : conditions;
        add(
            leading,
            bounds.get().range(),
            union(used, using),
            isExact(column) ? union(answered, using) : answered);
        if (!fansOutBehind(place)) {
          return;
        }
      } else {
        add(leading, new Range.All(), used, answered);
      }
      boolean canSkip = !skipped && !column.fansOut() && place < route.width();
      if (canSkip && place + 1 < route.key().size()) {
        extend(place + 1, with(leading, new Leading.Any()), used, answered, true);
      }
    }

    /**
     * Whether a range at {@code place} would leave a later list, or words, without a constraint.
     */
    private boolean fansOutBehind(int place) {
      return route.key().subList(place + 1, route.key().size()).stream()
          .anyMatch(ColumnSpec::fansOut);
    }

    private Conjunction asked(ColumnSpec column) {
      return column.fansOut() ? Conjunction.ofElement(list(column)) : conjunction;
    }

    /** Whether a constraint on {@code column} selects exactly the matching records. */
    private static boolean isExact(ColumnSpec column) {
      return !column.fansOut() || TextConditions.isWords(column);
    }

    private Condition list(ColumnSpec column) {
      for (Condition part : chosen) {
        if (Conjunction.asksElements(part, column)) {
          return part;
        }
      }
      throw new IllegalStateException("No condition was chosen for " + column);
    }

    private Condition using(ColumnSpec column, Condition condition) {
      return column.fansOut() ? list(column) : condition;
    }

    private void add(
        List<Leading> leading, Range range, Set<Condition> used, Set<Condition> answered) {
      boolean endsWithAny = !leading.isEmpty() && leading.getLast() instanceof Leading.Any;
      int asked = leading.size() + (range instanceof Range.All ? 0 : 1);
      if (!fansOutBehind(asked - 1) && !(endsWithAny && range instanceof Range.All)) {
        found.add(new RouteMatch(route, leading, range, used, union(answered, filtered)));
      }
    }

    private static <T> List<T> with(List<T> list, T element) {
      List<T> longer = new ArrayList<>(list);
      longer.add(element);
      return longer;
    }

    private static Set<Condition> with(Set<Condition> set, Condition element) {
      return union(set, Set.of(element));
    }

    private static Set<Condition> union(Set<Condition> left, Set<Condition> right) {
      Set<Condition> both = new LinkedHashSet<>(left);
      both.addAll(right);
      return both;
    }
  }
}
