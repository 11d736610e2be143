package dev.tidemark.records.internal.query;

import dev.tidemark.records.ColumnSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Finds the plans that answer a query, and which of them is the cheapest. */
public final class Planner {
  /** The {@code rows} of a query without a limit. */
  public static final long ALL = Long.MAX_VALUE;

  private Planner() {}

  /**
   * A plan with its fingerprint.
   *
   * @param plan the plan
   * @param fingerprint tells it from others
   */
  record Known(Plan plan, long fingerprint) {}

  /**
   * All plans for {@code shape}, the cheapest for {@code bindings} first.
   *
   * @param rows how many rows will be taken: the limit and the offset together, or {@link #ALL}
   * @throws IllegalArgumentException if the query insists on an index that cannot serve it
   */
  public static Planned plan(Catalog catalog, Shape shape, Bindings bindings, long rows) {
    Set<Implication> implications = Implication.all(catalog, shape.condition(), bindings);
    return rank(catalog, plans(catalog, shape, bindings, implications), bindings, rows);
  }

  /** All plans for {@code shape} in no order; which they are does not depend on values. */
  static List<Known> plans(
      Catalog catalog, Shape shape, Bindings bindings, Set<Implication> implications) {
    CostModel costs = new CostModel(catalog, bindings, ALL);
    return new Candidates(catalog, shape, implications, costs)
        .find().stream().map(plan -> new Known(plan, Fingerprint.of(plan))).toList();
  }

  /** {@code plans} with what they cost for {@code bindings}, the cheapest first. */
  static Planned rank(Catalog catalog, List<Known> plans, Bindings bindings, long rows) {
    CostModel costs = new CostModel(catalog, bindings, rows);
    List<Candidate> candidates = new ArrayList<>(plans.size());
    for (Known known : plans) {
      candidates.add(new Candidate(known.plan(), costs.of(known.plan()), known.fingerprint()));
    }
    candidates.removeIf(candidate -> candidate.estimate().cost() == Double.POSITIVE_INFINITY);
    candidates.sort(Comparator.comparingDouble(candidate -> candidate.estimate().cost()));
    return new Planned(candidates);
  }

  static ColumnSpec ascending(ColumnSpec column) {
    return column.descending() ? new ColumnSpec(column.path(), false) : column;
  }
}
