package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.query.group.AggregateIndexes;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.ContinuedPlan;
import dev.tidemark.records.internal.query.plan.RankedPlans;
import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.internal.query.run.HitReader;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.internal.store.Aggregates;
import dev.tidemark.records.internal.store.RecordWrites;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Plans queries, with a cache of plans for each state of the store, and runs them. */
public final class PlanningEngine<R> implements QueryEngine<R> {
  private final Space space;
  private final RecordType<R> type;
  private final Records<R> records;

  /** Runs queries about {@code type} in {@code space}. */
  public PlanningEngine(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
    this.records = Records.of(space, type);
  }

  @Override
  public RecordType<R> type() {
    return type;
  }

  /** The plans of {@code query}. */
  public RankedPlans plan(ReadTransaction tx, QuerySpec query) {
    TypePlans.Known known = TypePlans.of(space.state(tx)).of(space, tx, type);
    return BoundQuery.of(known.plans(), type, query).planned();
  }

  @Override
  public Cursor<R> records(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from) {
    QueryRun<R> opened = open(tx, query.wantingRecords(), limits, from, false, RankedPlans::chosen);
    return opened.cursor(opened.reader()::record);
  }

  /** As the other {@code records}, by the plan {@code by}; for measurements. */
  public Cursor<R> records(ReadTransaction tx, QuerySpec query, Candidate by) {
    QueryRun<R> opened =
        open(tx, query.wantingRecords(), QueryLimits.NONE, null, false, planned -> by);
    return opened.cursor(opened.reader()::record);
  }

  @Override
  public Cursor<@Nullable Object[]> columns(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from) {
    List<ColumnSpec> wanted = query.wanted().orElseThrow();
    QueryRun<R> opened = open(tx, query, limits, from, false, RankedPlans::chosen);
    HitReader<R> reader = opened.reader();
    return opened.cursor(hit -> reader.elements(hit, wanted));
  }

  @Override
  public long count(ReadTransaction tx, QuerySpec query) {
    QuerySpec keys = query.unordered().wanting(List.of());
    Taken taken = keys.taken().counted();
    return open(
            tx,
            keys,
            taken,
            QueryLimits.NONE,
            null,
            false,
            RankedPlans::chosen,
            new ContinuedPlan())
        .cursor(hit -> hit)
        .count();
  }

  /**
   * The rows of {@code query} as they are found.
   *
   * @param choice chooses the plan, unless {@code from} says which it is
   */
  public Cursor<Hit> hits(
      ReadTransaction tx,
      QuerySpec query,
      QueryLimits limits,
      @Nullable Continuation from,
      Function<RankedPlans, Candidate> choice) {
    return hits(tx, query, limits, from, choice, new ContinuedPlan());
  }

  /** The same for reads that keep the plan with which they have {@code begun}. */
  public Cursor<Hit> hits(
      ReadTransaction tx,
      QuerySpec query,
      QueryLimits limits,
      @Nullable Continuation from,
      Function<RankedPlans, Candidate> choice,
      ContinuedPlan begun) {
    return open(tx, query, limits, from, false, choice, begun).cursor(hit -> hit);
  }

  @Override
  public Explain explain(ReadTransaction tx, QuerySpec query, boolean run) {
    QueryRun<R> opened =
        plan(
            tx,
            query,
            query.taken(),
            QueryLimits.NONE,
            null,
            run,
            RankedPlans::chosen,
            new ContinuedPlan());
    if (run) {
      space.activity().beginQuery();
      opened.cursor(hit -> hit).forEachRemaining(hit -> {});
    }
    return opened.explain(
        plan -> run ? Optional.of(opened.counts(plan).toActual()) : Optional.empty());
  }

  private QueryRun<R> open(
      ReadTransaction tx,
      QuerySpec query,
      QueryLimits limits,
      @Nullable Continuation from,
      boolean timed,
      Function<RankedPlans, Candidate> choice) {
    return open(tx, query, limits, from, timed, choice, new ContinuedPlan());
  }

  private QueryRun<R> open(
      ReadTransaction tx,
      QuerySpec query,
      QueryLimits limits,
      @Nullable Continuation from,
      boolean timed,
      Function<RankedPlans, Candidate> choice,
      ContinuedPlan begun) {
    return open(tx, query, query.taken(), limits, from, timed, choice, begun);
  }

  private QueryRun<R> open(
      ReadTransaction tx,
      QuerySpec query,
      Taken taken,
      QueryLimits limits,
      @Nullable Continuation from,
      boolean timed,
      Function<RankedPlans, Candidate> choice,
      ContinuedPlan begun) {
    QueryRun<R> opened = plan(tx, query, taken, limits, from, timed, choice, begun);
    if (from == null) {
      space.activity().beginQuery();
    }
    return opened;
  }

  private QueryRun<R> plan(
      ReadTransaction tx,
      QuerySpec query,
      Taken taken,
      QueryLimits limits,
      @Nullable Continuation from,
      boolean timed,
      Function<RankedPlans, Candidate> choice,
      ContinuedPlan begun) {
    SpaceState state = space.state(tx);
    TypeView<R> view = TypeView.of(space, type, state);
    TypePlans.Known known = TypePlans.of(state).of(space, tx, type);
    BoundQuery planned = BoundQuery.of(known.plans(), type, query, taken);
    Catalog catalog = known.plans().catalog();
    Stage stage =
        from == null
            ? planned.start(choice.apply(planned.planned()))
            : planned.resume(CursorPlace.of(from), view.schemaVersion(), begun, catalog);
    begun.note(stage.by(), catalog);
    return new QueryRun<>(tx, view, known, planned, stage, limits, timed);
  }

  // ---- in several transactions

  @Override
  public Iterator<R> longRead(QuerySpec query) {
    QuerySpec whole = query.wantingRecords();
    return new LongReads<>(space, this).read(whole);
  }

  @Override
  public BulkProgress delete(QuerySpec query, BulkOptions options) {
    return delete(query, options, 0, 0);
  }

  private BulkProgress delete(
      QuerySpec query, BulkOptions options, long foundBefore, long changedBefore) {
    BulkChange<R> change =
        new BulkChange<>(
            space.database(),
            pages(query.wantingRecords(), RankedPlans::chosen),
            (tx, record) -> records.writes().delete(tx, records.primaryKey(record)),
            BulkChange.limits(query),
            options);
    try {
      return change.run(foundBefore, changedBefore);
    } catch (RefusedRecordException refused) {
      if (type.codec() instanceof DynamicCodec) {
        throw refused;
      }
      // What is left is found by the same conditions, and deleted without the class.
      Space untyped = space.untyped();
      Optional<BulkProgress> done = change.progress();
      return new PlanningEngine<>(untyped, untyped.schema().type(type.name()).orElseThrow())
          .delete(
              query,
              done.map(each -> options.withFrom(each.continuation())).orElse(options),
              done.map(BulkProgress::found).orElse(foundBefore),
              done.map(BulkProgress::changed).orElse(changedBefore));
    }
  }

  @Override
  public BulkProgress update(QuerySpec query, UnaryOperator<R> change, BulkOptions options) {
    QuerySpec byKey = BulkChange.inOrderOfKeys(type.spec(), query.wantingRecords());
    return new BulkChange<R>(
            space.database(),
            pages(byKey, BulkChange::onePlaceForEachKey),
            (tx, record) -> update(tx, record, change.apply(record)),
            BulkChange.limits(query),
            options)
        .run(0, 0);
  }

  /** Opens the pages of a read that keeps the plan with which it began. */
  private BulkChange.Found<R> pages(QuerySpec query, Function<RankedPlans, Candidate> choice) {
    ContinuedPlan begun = new ContinuedPlan();
    return (tx, limits, from) -> {
      QueryRun<R> opened = open(tx, query, limits, from, false, choice, begun);
      return opened.cursor(opened.reader()::record);
    };
  }

  private boolean update(Transaction tx, R before, R after) {
    if (after.equals(before)) {
      return false;
    }
    if (!records.primaryKey(after).equals(records.primaryKey(before))) {
      throw new IllegalArgumentException(
          "An update changes the primary key of the %s %s to %s; delete it and insert another one"
              .formatted(type.name(), records.primaryKey(before), records.primaryKey(after)));
    }
    records.writes().save(tx, after, RecordWrites.Existence.PRESENT);
    return true;
  }

  @Override
  public Optional<List<@Nullable Object[]>> groups(ReadTransaction tx, GroupSpec query) {
    Optional<List<@Nullable Object[]>> rows = aggregateIndexes(space.state(tx)).rows(tx, query);
    if (rows.isPresent()) {
      space.activity().beginQuery();
    }
    return rows;
  }

  @Override
  public List<String> groupIndexes(ReadTransaction tx, GroupSpec query) {
    return aggregateIndexes(space.state(tx)).answering(query);
  }

  private AggregateIndexes aggregateIndexes(SpaceState state) {
    List<IndexSpec> readable =
        space.schema().indexes().stream()
            .filter(index -> index.type().equals(type.name()))
            .filter(index -> state.state(index.name()).isReadable())
            .toList();
    return new AggregateIndexes(type.spec(), readable, new Aggregates(space, type));
  }

  @Override
  public Map<Tuple, R> load(ReadTransaction tx, Collection<Tuple> primaryKeys) {
    return records.loadAll(tx, primaryKeys);
  }

  @Override
  public double estimatedRows(ReadTransaction tx, QuerySpec query) {
    return plan(tx, query).chosen().estimate().rows();
  }

  @Override
  public boolean hasIndexOn(ReadTransaction tx, ColumnSpec column) {
    SpaceState state = space.state(tx);
    return space.schema().indexes().stream()
        .anyMatch(
            index ->
                index.type().equals(type.name())
                    && index.leadsWith(column)
                    && state.state(index.name()).isReadable());
  }
}
