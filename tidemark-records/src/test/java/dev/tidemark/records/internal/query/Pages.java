package dev.tidemark.records.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a query by one plan, page by page. */
public final class Pages {
  private static final int MOST = 5_000;

  private Pages() {}

  /** What cursors with {@code limits} find one after the other, each in its own transaction. */
  public static List<Key> keys(
      Database database,
      PlanningEngine<DynamicRecord> engine,
      QuerySpec query,
      Candidate plan,
      QueryLimits limits) {
    List<Key> found = new ArrayList<>();
    @Nullable Continuation at = null;
    StopReason why = StopReason.ROW_LIMIT;
    for (int page = 0; why != StopReason.EXHAUSTED; page++) {
      assertThat(page).as("cursors with %s by %s", limits, plan).isLessThan(MOST);
      @Nullable Continuation from = at;
      Cursor<Hit> read =
          database.read(
              tx -> {
                Cursor<Hit> hits = engine.hits(tx, query, limits, from, planned -> plan);
                hits.forEachRemaining(hit -> found.add(hit.recordKey()));
                return hits;
              });
      at = read.continuation();
      why = read.stopReason();
    }
    return found;
  }
}
