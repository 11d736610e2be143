package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Shape;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Makes the plans of a query and ranks them by cost. */
public final class Planner {
  private static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.<Candidate>comparingDouble(candidate -> candidate.estimate().cost())
          .thenComparing(candidate -> readsAll(candidate.plan()));

  private Planner() {}

  /**
   * All plans for {@code shape}, the cheapest for {@code bindings} first.
   *
   * @param taken how many rows will be taken
   * @throws IllegalArgumentException if the query requires an index that cannot serve it
   */
  public static RankedPlans plan(Catalog catalog, Shape shape, Bindings bindings, Taken taken) {
    Set<Implication> implications = Implication.all(catalog, shape.condition(), bindings);
    return plan(catalog, shape, bindings, taken, implications);
  }

  /** The same where {@code implications} are known. */
  static RankedPlans plan(
      Catalog catalog, Shape shape, Bindings bindings, Taken taken, Set<Implication> implications) {
    CostModel whole = new CostModel(catalog, bindings, Taken.ALL);
    CostModel costs = new CostModel(catalog, bindings, taken);
    List<Candidate> candidates = new ArrayList<>();
    for (Plan plan : new Candidates(catalog, shape, implications, whole).find()) {
      candidates.add(new Candidate(plan, costs.of(plan), Fingerprint.of(plan)));
    }
    candidates.sort(CHEAPEST_FIRST);
    return new RankedPlans(candidates);
  }

  /** {@code known} with costs for {@code bindings}. */
  public static RankedPlans again(
      Catalog catalog, RankedPlans known, Bindings bindings, Taken taken) {
    CostModel costs = new CostModel(catalog, bindings, taken);
    List<Candidate> candidates = new ArrayList<>(known.candidates().size());
    for (Candidate candidate : known.candidates()) {
      candidates.add(
          new Candidate(candidate.plan(), costs.of(candidate.plan()), candidate.fingerprint()));
    }
    candidates.sort(CHEAPEST_FIRST);
    return new RankedPlans(candidates);
  }

  /** {@code known}, or ranked anew if its first plan cannot run with {@code bindings}. */
  static RankedPlans possible(Catalog catalog, RankedPlans known, Bindings bindings, Taken taken) {
    CostModel costs = new CostModel(catalog, bindings, taken);
    return costs.of(known.chosen().plan()).cost() == Double.POSITIVE_INFINITY
        ? again(catalog, known, bindings, taken)
        : known;
  }

  /** Whether {@code plan} reads all records, whose number may be underestimated. */
  private static boolean readsAll(Plan plan) {
    return switch (plan) {
      case Plan.Read read ->
          read.access().leading().isEmpty() && read.access().range() instanceof Access.Range.All;
      case Plan.Sorted sorted -> readsAll(sorted.source());
      case Plan.Union union ->
          union.branches().stream().anyMatch(branch -> readsAll(branch.plan()));
      case Plan.Intersection intersection -> false;
      case Plan.Nothing nothing -> false;
    };
  }

  public static ColumnSpec ascending(ColumnSpec column) {
    return column.descending() ? new ColumnSpec(column.path(), false) : column;
  }
}
