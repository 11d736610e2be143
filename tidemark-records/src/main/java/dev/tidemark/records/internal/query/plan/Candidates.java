package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Alternatives;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/*
 * The work is bounded whatever the condition is: alternatives are counted before they are made, only a few of
 * the disjunctions are tried, and what no access answers is asked of each row.
 */

/** Enumerates the plans of one shape. */
final class Candidates {
  /** The largest number of branches of a union. */
  static final int BRANCHES_MAX = 128;

  /** The largest number of disjunctions of a conjunction that are tried as unions. */
  private static final int DISJUNCTIONS_MAX = 4;

  /** The largest number of accesses that are combined to intersections. */
  private static final int INTERSECTED_MAX = 4;

  private final Catalog catalog;
  private final Shape shape;
  private final Set<Implication> implications;
  private final CostModel costs;
  private final List<Route> routes;
  private final Set<Plan> found = new LinkedHashSet<>();

  Candidates(Catalog catalog, Shape shape, Set<Implication> implications, CostModel costs) {
    this.catalog = catalog;
    this.shape = shape;
    this.implications = implications;
    this.costs = costs;
    this.routes = routes(catalog, shape);
  }

  private static List<Route> routes(Catalog catalog, Shape shape) {
    if (shape.index().isEmpty()) {
      return Stream.concat(Stream.of(catalog.records()), catalog.indexes().stream()).toList();
    }
    String index = shape.index().get();
    if (catalog.unreadable().containsKey(index)) {
      throw new IllegalArgumentException(
          "The query insists on the index '%s', but %s"
              .formatted(index, catalog.unreadable().get(index)));
    }
    return List.of(catalog.route(shape.index()));
  }

  List<Plan> find() {
    if (shape.condition() instanceof Condition.Always(boolean value) && !value) {
      return List.of(new Plan.Nothing());
    }
    Conjunction conjunction = new Conjunction(Normalizer.conjuncts(shape.condition()));
    reads(conjunction);
    if (shape.index().isEmpty()) {
      intersections(conjunction);
    }
    unions(conjunction);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "The query insists on the index '%s', which cannot serve it: it has no entries for some of the records that the query asks about"
              .formatted(shape.index().orElseThrow()));
    }
    return List.copyOf(found);
  }

  private void reads(Conjunction conjunction) {
    ReadPlans plans = new ReadPlans(catalog, shape, conjunction, true);
    for (Route route : routes) {
      for (RouteMatch match : RouteMatch.of(route, conjunction, implications)) {
        Optional<Plan> ordered = plans.inOrder(match);
        Plan plan = ordered.orElseGet(() -> plans.sorted(match));
        if (isWorthwhile(match, plan, ordered.isPresent())) {
          found.add(plan);
        }
        if (plan instanceof Plan.Read read && !read.mergedBy().isEmpty()) {
          found.add(plans.sorted(match));
        }
      }
    }
  }

  /**
   * Whether a plan is worth estimating: reading a whole index and loading every record only pays
   * for its order.
   */
  private boolean isWorthwhile(RouteMatch match, Plan plan, boolean ordered) {
    Plan source = plan instanceof Plan.Sorted sorted ? sorted.source() : plan;
    boolean covering = source instanceof Plan.Read read && read.covering();
    return !match.isWhole()
        || match.route().index().isEmpty()
        || !match.route().filter().isEmpty()
        || covering
        || shape.index().isPresent()
        || (ordered && !shape.order().isEmpty());
  }

  private void intersections(Conjunction conjunction) {
    List<RouteMatch> single = new ArrayList<>();
    for (Route route : catalog.indexes()) {
      for (RouteMatch match : RouteMatch.of(route, conjunction, implications)) {
        if (match.isOneValue()) {
          single.add(match);
        }
      }
    }
    single.sort(Comparator.comparing(match -> match.route().index().orElseThrow()));
    List<RouteMatch> few = cheapest(single, INTERSECTED_MAX);
    for (int i = 0; i < few.size(); i++) {
      for (int j = i + 1; j < few.size(); j++) {
        intersection(conjunction, List.of(few.get(i), few.get(j)));
      }
    }
    if (few.size() > 2) {
      intersection(conjunction, cheapest(few, 3));
    }
  }

  /**
   * The {@code count} smallest of {@code matches} in the order that they have. An intersection is
   * the same plan whatever its accesses cost today, so that continuations find it again.
   */
  private List<RouteMatch> cheapest(List<RouteMatch> matches, int count) {
    List<RouteMatch> smallest =
        matches.stream()
            .sorted(Comparator.comparingDouble(match -> costs.entries(match.access(false))))
            .limit(count)
            .toList();
    return matches.stream().filter(smallest::contains).toList();
  }

  private void intersection(Conjunction conjunction, List<RouteMatch> matches) {
    Set<Condition> answered = new LinkedHashSet<>();
    for (RouteMatch match : matches) {
      boolean addsSomething =
          matches.stream()
              .filter(other -> !other.equals(match))
              .noneMatch(other -> other.used().containsAll(match.used()));
      if (!addsSomething) {
        return;
      }
      answered.addAll(match.answered());
    }
    List<Condition> rest =
        conjunction.parts().stream().filter(part -> !answered.contains(part)).toList();
    Plan plan =
        new Plan.Intersection(
            matches.stream().map(match -> match.access(false)).toList(), Normalizer.all(rest));
    RouteMatch byPrimaryKey =
        new RouteMatch(catalog.records(), List.of(), new Access.Range.All(), Set.of(), Set.of());
    boolean ordered = GivenOrder.fits(catalog, conjunction, byPrimaryKey, false, shape.order());
    found.add(ordered ? plan : new Plan.Sorted(plan, shape.order()));
  }

  private void unions(Conjunction conjunction) {
    Alternatives.of(shape.condition(), BRANCHES_MAX)
        .ifPresent(alternatives -> union(List.of(), alternatives));
    int tried = 0;
    for (Condition part : conjunction.parts()) {
      if (part instanceof Condition.Or && tried++ < DISJUNCTIONS_MAX) {
        List<Condition> others = new ArrayList<>(conjunction.parts());
        others.remove(part);
        Alternatives.of(part, BRANCHES_MAX).ifPresent(alternatives -> union(others, alternatives));
      }
    }
  }

  private void union(List<Condition> common, List<List<Condition>> alternatives) {
    if (alternatives.size() < 2) {
      return;
    }
    List<Plan.Branch> unordered = new ArrayList<>();
    List<Plan.Branch> ordered = new ArrayList<>();
    for (List<Condition> alternative : alternatives) {
      List<Condition> parts = new ArrayList<>(alternative);
      common.stream().filter(part -> !alternative.contains(part)).forEach(parts::add);
      Conjunction branch = new Conjunction(parts);
      Condition condition = Normalizer.all(alternative);
      ReadPlans plans = new ReadPlans(catalog, shape, branch, false);
      List<RouteMatch> matches = parts(branch);
      Optional<Plan> plan = cheapest(matches.stream().map(plans::unordered));
      if (plan.isEmpty()) {
        return;
      }
      unordered.add(new Plan.Branch(plan.get(), condition));
      cheapest(matches.stream().flatMap(match -> plans.inOrder(match).stream()))
          .ifPresent(inOrder -> ordered.add(new Plan.Branch(inOrder, condition)));
    }
    Plan union = new Plan.Union(unordered, List.of());
    found.add(shape.order().isEmpty() ? union : new Plan.Sorted(union, shape.order()));
    if (ordered.size() == alternatives.size() && !shape.order().isEmpty()) {
      found.add(new Plan.Union(ordered, shape.order()));
    }
  }

  /** The matches of all routes for {@code branch}, except whole routes. */
  private List<RouteMatch> parts(Conjunction branch) {
    List<RouteMatch> matches = new ArrayList<>();
    for (Route route : routes) {
      for (RouteMatch match : RouteMatch.of(route, branch, implications)) {
        if (!match.isWhole() || !route.filter().isEmpty()) {
          matches.add(match);
        }
      }
    }
    return matches;
  }

  private Optional<Plan> cheapest(Stream<Plan> plans) {
    return plans.min(Comparator.comparingDouble(plan -> costs.whole(plan).cost()));
  }
}
