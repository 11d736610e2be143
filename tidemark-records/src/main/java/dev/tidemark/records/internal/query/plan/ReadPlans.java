package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ConditionColumns;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.Shape;
import dev.tidemark.records.schema.ColumnSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes plans of single accesses for a conjunction. */
final class ReadPlans {
  private final Catalog catalog;
  private final Shape shape;
  private final Conjunction conjunction;

  /** The columns that later steps need, which an entry must contain to be covering. */
  private final Set<ColumnSpec> neededBehind;

  /**
   * Plans for {@code conjunction}.
   *
   * @param alone whether it is the whole condition; otherwise rows are combined with those of other
   *     plans
   */
  ReadPlans(Catalog catalog, Shape shape, Conjunction conjunction, boolean alone) {
    this.catalog = catalog;
    this.shape = shape;
    this.conjunction = conjunction;
    this.neededBehind = new LinkedHashSet<>();
    if (!alone) {
      neededBehind.addAll(ConditionColumns.single(shape.condition()));
      neededBehind.addAll(ConditionColumns.fannedOut(shape.condition()));
      shape.order().forEach(ordering -> neededBehind.add(ordering.column()));
    }
  }

  /**
   * The plan that reads {@code match} in the order of the query.
   *
   * @return empty if the rows come in another order
   */
  Optional<Plan> inOrder(RouteMatch match) {
    for (boolean reverse : new boolean[] {false, true}) {
      if (GivenOrder.fits(catalog, conjunction, match, reverse, shape.order())) {
        return Optional.of(read(match, reverse, List.of(), Set.of()));
      }
    }
    for (boolean reverse : new boolean[] {false, true}) {
      if (GivenOrder.fitsMerged(catalog, conjunction, match, reverse, shape.order())) {
        return Optional.of(read(match, reverse, shape.order(), Set.of()));
      }
    }
    return Optional.empty();
  }

  /** The plan that reads {@code match} in its own order and sorts if necessary. */
  Plan sorted(RouteMatch match) {
    if (shape.order().isEmpty()) {
      return unordered(match);
    }
    return new Plan.Sorted(unordered(match), shape.order());
  }

  /** The plan that reads {@code match} in its own order. */
  Plan unordered(RouteMatch match) {
    Set<ColumnSpec> order = new LinkedHashSet<>();
    shape.order().forEach(ordering -> order.add(ordering.column()));
    return read(match, false, List.of(), order);
  }

  private Plan read(
      RouteMatch match, boolean reverse, List<Ordering> mergedBy, Set<ColumnSpec> sortedBy) {
    Set<ColumnSpec> columns = GivenOrder.columns(match.route());
    List<Condition> onEntry = new ArrayList<>();
    List<Condition> onRecord = new ArrayList<>();
    for (Condition part : conjunction.parts()) {
      if (!match.answered().contains(part)) {
        boolean entryTells =
            columns.containsAll(ConditionColumns.single(part))
                && ConditionColumns.fannedOut(part).isEmpty();
        (entryTells ? onEntry : onRecord).add(part);
      }
    }
    boolean covering =
        onRecord.isEmpty() && covers(match, columns) && columns.containsAll(sortedBy);
    return new Plan.Read(
        match.access(reverse),
        Normalizer.all(onEntry),
        covering,
        Normalizer.all(onRecord),
        mergedBy);
  }

  /** Whether entries cover the query; they must also contain the time of expiry. */
  private boolean covers(RouteMatch match, Set<ColumnSpec> columns) {
    boolean tellsExpiry =
        catalog
            .type()
            .expiry()
            .map(expiry -> columns.contains(ColumnSpec.of(expiry.field())))
            .orElse(true);
    return shape.wanted().isPresent()
        && match.route().index().isPresent()
        && !match.route().repeats(match.leading())
        && tellsExpiry
        && columns.containsAll(shape.wanted().get())
        && columns.containsAll(neededBehind);
  }
}
