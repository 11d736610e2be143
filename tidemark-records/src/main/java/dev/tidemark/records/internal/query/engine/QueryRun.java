package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.Explainer;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.plan.Planner;
import dev.tidemark.records.internal.query.plan.RankedPlans;
import dev.tidemark.records.internal.query.run.Execution;
import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.internal.query.run.HitReader;
import dev.tidemark.records.internal.query.run.NoRows;
import dev.tidemark.records.internal.query.run.Rows;
import dev.tidemark.records.internal.query.scan.Counts;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import java.util.Optional;
import java.util.function.Function;

/** A query with its plan, about to be run in one transaction. */
final class QueryRun<R> {
  private final Catalog catalog;
  private final BoundQuery query;
  private final Stage stage;
  private final int schemaVersion;
  private final QueryLimits limits;
  private final Execution<R> execution;

  QueryRun(
      ReadTransaction tx,
      TypeView<R> view,
      TypePlans.Known known,
      BoundQuery query,
      Stage stage,
      QueryLimits limits,
      boolean timed) {
    this.catalog = known.plans().catalog();
    this.query = query;
    this.stage = stage;
    this.schemaVersion = view.schemaVersion();
    this.limits = limits;
    boolean records = query.query().wanted().isEmpty();
    this.execution =
        new Execution<>(
            tx,
            view,
            known.prepared(),
            query.bindings(),
            limits,
            new Execution.Demand(taken().rows(), records, timed));
  }

  /** How many rows a cursor takes at most. */
  private Taken taken() {
    long page = limits.rows().orElse(Long.MAX_VALUE);
    long most = stage.limit() < 0 ? page : Math.min(page, stage.limit());
    return Taken.of(most, stage.offset());
  }

  HitReader<R> reader() {
    return execution.reader();
  }

  Counts counts(Plan plan) {
    return execution.counts(plan);
  }

  /** The cursor over the rows, each converted by {@code result}. */
  <T> PlanCursor<T> cursor(Function<Hit, T> result) {
    Rows rows = stage.ended() ? new NoRows() : execution.open(stage.by().plan(), stage.position());
    return new PlanCursor<>(
        stage,
        rows,
        execution.meter(),
        limits,
        result,
        reached -> query.continuation(reached, schemaVersion));
  }

  /** With costs for the values of this query, also where the plan was chosen for others. */
  Explain explain(Function<Plan, Optional<Explain.Actual>> actual) {
    RankedPlans planned = Planner.again(catalog, query.planned(), query.bindings(), taken());
    Candidate by = planned.find(stage.by().fingerprint()).orElseThrow();
    return Explainer.explain(catalog, planned, by, query.bindings(), taken(), actual);
  }
}
