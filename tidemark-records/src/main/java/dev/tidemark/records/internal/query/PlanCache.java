package dev.tidemark.records.internal.query;

/**
 * The plans of one type for as long as the header of the store stays the same. Bounded: the shape
 * that was not asked for the longest makes room.
 */
public final class PlanCache {
  private final Catalog catalog;

  /** Plans for {@code catalog}. */
  public PlanCache(Catalog catalog) {
    this.catalog = catalog;
  }

  /** What the plans are made for. */
  public Catalog catalog() {
    return catalog;
  }

  /** As {@link Planner#plan}. */
  public Planned plan(Shape shape, Bindings bindings, long rows) {
    return Planner.plan(catalog, shape, bindings, rows);
  }
}
