package dev.tidemark.records.internal.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.Continuation;
import dev.tidemark.records.Cursor;
import dev.tidemark.records.QueryLimits;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.Space;
import dev.tidemark.records.internal.SpaceState;
import dev.tidemark.records.internal.TypeView;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans queries, with plans that are kept as long as the store stays as it is, and runs them. */
public final class RealQueryEngine<R> implements QueryEngine<R> {
  private final Space space;
  private final RecordType<R> type;

  /** Answers queries about {@code type} in {@code space}. */
  public RealQueryEngine(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
  }

  @Override
  public RecordType<R> type() {
    return type;
  }

  @Override
  public Cursor<R> records(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from) {
    QuerySpec whole = query.wantingRecords();
    return open(tx, whole, limits, from, Planned::chosen, reader -> reader::record);
  }

  @Override
  public Cursor<@Nullable Object[]> columns(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from) {
    List<ColumnSpec> wanted = query.wanted().orElseThrow();
    return open(
        tx, query, limits, from, Planned::chosen, reader -> hit -> reader.elements(hit, wanted));
  }

  @Override
  public long count(ReadTransaction tx, QuerySpec query) {
    QuerySpec nothing = query.unordered().wanting(List.of());
    long count = 0;
    Cursor<Hit> hits =
        open(tx, nothing, QueryLimits.NONE, null, Planned::chosen, reader -> hit -> hit);
    while (hits.hasNext()) {
      hits.next();
      count++;
    }
    return count;
  }

  /** The plans that answer {@code query}. */
  public Planned plan(ReadTransaction tx, QuerySpec query) {
    return PlannedQuery.of(TypePlans.of(space.state(tx)).of(space, type), type, query).planned();
  }

  /**
   * As {@link #records}, or {@link #columns} if {@code query} wants some, by a plan of choice: each
   * row as it is found.
   */
  Cursor<Hit> hits(ReadTransaction tx, QuerySpec query, QueryLimits limits, Candidate by) {
    return open(tx, query, limits, null, planned -> by, reader -> hit -> hit);
  }

  /** As {@link #hits}, behind {@code from}. */
  Cursor<Hit> hits(ReadTransaction tx, QuerySpec query, QueryLimits limits, Continuation from) {
    return open(tx, query, limits, from, Planned::chosen, reader -> hit -> hit);
  }

  private <T> Cursor<T> open(
      ReadTransaction tx,
      QuerySpec query,
      QueryLimits limits,
      @Nullable Continuation from,
      Function<Planned, Candidate> choice,
      Function<HitReader<R>, Function<Hit, T>> result) {
    SpaceState state = space.state(tx);
    TypeView<R> view = TypeView.of(space, type, state);
    PlanCache plans = TypePlans.of(state).of(space, type);
    PlannedQuery planned = PlannedQuery.of(plans, type, query);
    Place place =
        from == null
            ? planned.start(choice.apply(planned.planned()), view.schemaVersion())
            : planned.resume(Place.of(from), view.schemaVersion());
    Execution<R> execution =
        new Execution<>(
            tx,
            view,
            plans.catalog(),
            planned.bindings(),
            limits,
            new Execution.Demand(rows(place, limits), query.wanted().isEmpty()));
    Rows rows =
        place.ended() ? new NoRows() : execution.open(planned.plan(place), place.position());
    return new PlanCursor<>(
        place, rows, execution.meter(), limits, result.apply(execution.reader()));
  }

  /** How many rows a cursor takes at most. */
  private static long rows(Place place, QueryLimits limits) {
    long page = limits.rows().orElse(Long.MAX_VALUE);
    long most = place.limit() < 0 ? page : Math.min(page, place.limit());
    return most > Long.MAX_VALUE - place.offset() ? Long.MAX_VALUE : most + place.offset();
  }
}
