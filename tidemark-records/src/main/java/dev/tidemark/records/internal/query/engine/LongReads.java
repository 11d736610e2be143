package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.Database;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.plan.ContinuedPlan;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.plan.RankedPlans;
import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.internal.query.run.HitReader;
import dev.tidemark.records.internal.query.run.SortKey;
import dev.tidemark.records.internal.query.run.Sorter;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/** Reads queries in as many transactions as needed. */
final class LongReads<R> {
  /** The limits of one transaction, far below its five seconds. */
  private static final QueryLimits PAGE =
      QueryLimits.NONE.withRows(1_000).withScannedBytes(8L << 20).withTime(Duration.ofSeconds(2));

  private final Database database;
  private final PlanningEngine<R> engine;
  private final HitReader<R> reader;

  LongReads(Space space, PlanningEngine<R> engine) {
    this.database = space.database();
    this.engine = engine;
    this.reader =
        new HitReader<>(database.read(tx -> TypeView.of(space, engine.type(), space.state(tx))));
  }

  /** The records that match {@code query}. */
  Iterator<R> read(QuerySpec query) {
    boolean sorts =
        database.<Boolean, RuntimeException>read(
            tx -> engine.plan(tx, query).chosen().plan() instanceof Plan.Sorted);
    Iterator<Hit> hits = sorts ? sorted(query) : pages(query);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return hits.hasNext();
      }

      @Override
      public R next() {
        return reader.record(hits.next());
      }
    };
  }

  private Iterator<Hit> pages(QuerySpec query) {
    ContinuedPlan begun = new ContinuedPlan();
    return new LongRead<Hit, Continuation>(
        at ->
            database.read(
                tx -> {
                  Cursor<Hit> cursor = engine.hits(tx, query, PAGE, at, RankedPlans::chosen, begun);
                  List<Hit> rows = new ArrayList<>();
                  cursor.forEachRemaining(rows::add);
                  boolean last = cursor.stopReason() == StopReason.EXHAUSTED;
                  return new LongRead.Page<>(rows, cursor.continuation(), last);
                }));
  }

  /** A sort cannot resume in another transaction, so all rows are read first and sorted here. */
  private Iterator<Hit> sorted(QuerySpec query) {
    long limit = query.limit().orElse(Long.MAX_VALUE);
    long wanted = limit > Long.MAX_VALUE - query.offset() ? limit : limit + query.offset();
    Sorter sorter = new Sorter(new SortKey(query.order(), reader), QueryLimits.NONE, wanted);
    QuerySpec all = query.unordered().limitedTo(OptionalLong.empty()).from(0);
    pages(all).forEachRemaining(hit -> sorter.add(hit, reader.primaryKey(hit), null));
    return sorter.rows().stream().skip(query.offset()).map(Sorter.Sorted::hit).iterator();
  }
}
