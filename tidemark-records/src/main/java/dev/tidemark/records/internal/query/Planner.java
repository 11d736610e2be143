package dev.tidemark.records.internal.query;

import dev.tidemark.records.ColumnSpec;
import java.util.List;

/** Finds the plans that answer a query, and which of them is the cheapest. */
public final class Planner {
  /** The {@code rows} of a query without a limit. */
  public static final long ALL = Long.MAX_VALUE;

  private Planner() {}

  /**
   * All plans for {@code shape}, the cheapest for {@code bindings} first.
   *
   * @param rows how many rows will be taken: the limit and the offset together, or {@link #ALL}
   * @throws IllegalArgumentException if the query insists on an index that cannot serve it
   */
  public static Planned plan(Catalog catalog, Shape shape, Bindings bindings, long rows) {
    Plan scan =
        new Plan.Read(
            new Access(java.util.Optional.empty(), List.of(), new Access.Range.All(), false),
            new Condition.Always(true),
            false,
            shape.condition(),
            List.<Ordering>of());
    Plan plan = shape.order().isEmpty() ? scan : new Plan.Sorted(scan, shape.order());
    double all = catalog.statistics().rows();
    return new Planned(
        List.of(new Candidate(plan, new Estimate(all, all, 0, all), Fingerprint.of(plan))));
  }

  static ColumnSpec ascending(ColumnSpec column) {
    return column.descending() ? new ColumnSpec(column.path(), false) : column;
  }
}
