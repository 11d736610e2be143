package dev.tidemark.records.internal.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.Cursor;
import dev.tidemark.records.Explain;
import dev.tidemark.records.QueryLimits;
import dev.tidemark.records.internal.TypeView;
import java.util.Optional;
import java.util.function.Function;

/** A query with its plan, about to be run in one transaction. */
final class OpenedQuery<R> {
  private final Catalog catalog;
  private final PlannedQuery query;
  private final Place place;
  private final QueryLimits limits;
  private final Execution<R> execution;

  OpenedQuery(
      ReadTransaction tx,
      TypeView<R> view,
      TypePlans.Known known,
      PlannedQuery query,
      Place place,
      QueryLimits limits,
      boolean timed) {
    this.catalog = known.plans().catalog();
    this.query = query;
    this.place = place;
    this.limits = limits;
    boolean records = query.query().wanted().isEmpty();
    this.execution =
        new Execution<>(
            tx,
            view,
            known.prepared(),
            query.bindings(),
            limits,
            new Execution.Demand(rows(), records, timed));
  }

  /** How many rows a cursor takes at most. */
  private long rows() {
    long page = limits.rows().orElse(Long.MAX_VALUE);
    long most = place.limit() < 0 ? page : Math.min(page, place.limit());
    return most > Long.MAX_VALUE - place.offset() ? Long.MAX_VALUE : most + place.offset();
  }

  HitReader<R> reader() {
    return execution.reader();
  }

  Counts counts(Plan plan) {
    return execution.counts(plan);
  }

  /** The rows, each as {@code result} makes it of what was found. */
  <T> Cursor<T> cursor(Function<Hit, T> result) {
    Rows rows = place.ended() ? new NoRows() : execution.open(query.plan(place), place.position());
    return new PlanCursor<>(place, rows, execution.meter(), limits, result);
  }

  Explain explain(Function<Plan, Optional<Explain.Actual>> actual) {
    Planned planned = query.planned();
    return Explainer.explain(catalog, planned, planned.chosen(), query.bindings(), rows(), actual);
  }
}
