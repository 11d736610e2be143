package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Parameters;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.condition.Taken;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.ContinuedPlan;
import dev.tidemark.records.internal.query.plan.Fingerprint;
import dev.tidemark.records.internal.query.plan.PlanCache;
import dev.tidemark.records.internal.query.plan.RankedPlans;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query with its values and its plans.
 *
 * @param type what it asks about
 * @param query the query
 * @param bindings its values
 * @param planned its plans
 */
public record BoundQuery(
    RecordType<?> type, QuerySpec query, Bindings bindings, RankedPlans planned) {
  public static BoundQuery of(PlanCache plans, RecordType<?> type, QuerySpec query) {
    return of(plans, type, query, query.taken());
  }

  /** The same with plans for {@code taken} rows. */
  public static BoundQuery of(PlanCache plans, RecordType<?> type, QuerySpec query, Taken taken) {
    Parameters.Split split =
        Parameters.split(
            type.name(),
            Normalizer.normalize(query.condition()),
            query.order(),
            query.wanted(),
            query.limit().isPresent(),
            query.index());
    RankedPlans planned = plans.plan(split.shape(), split.bindings(), taken);
    return new BoundQuery(type, query, split.bindings(), planned);
  }

  /**
   * Identifies the query among those with the same plan: by its type, values and limits. Computed
   * on demand, because few queries are continued.
   */
  public long fingerprint() {
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(type.name());
    parts.addAll(bindings.elements());
    parts.add(query.limit().orElse(-1));
    parts.add(query.offset());
    for (ColumnSpec column : query.wanted().orElse(List.of())) {
      column.path().forEach(step -> parts.add(step.field()));
      parts.add(null);
    }
    return Fingerprint.of(Tuple.of(parts.toArray()));
  }

  /** The beginning of the query with the plan {@code by}, which is one of its plans. */
  Stage start(Candidate by) {
    return new Stage(by, query.offset(), query.limit().orElse(-1), false, Tuple.EMPTY);
  }

  /** The continuation behind {@code stage}. */
  Continuation continuation(Stage stage, int schemaVersion) {
    return new CursorPlace(
            stage.by().fingerprint(),
            schemaVersion,
            fingerprint(),
            stage.offset(),
            stage.limit(),
            stage.ended(),
            stage.position())
        .toContinuation();
  }

  /**
   * The stage at {@code place}, if it is one of this query.
   *
   * @param begun the plan with which this process began, if it did
   * @param catalog what can be read now
   * @throws IllegalArgumentException if it is not
   */
  Stage resume(CursorPlace place, int schemaVersion, ContinuedPlan begun, Catalog catalog) {
    if (place.schemaVersion() != schemaVersion) {
      throw refused(
          "it was made with schema version %d and the store has %d by now"
              .formatted(place.schemaVersion(), schemaVersion));
    }
    if (place.query() != fingerprint()) {
      throw refused(
          "it belongs to a query of another type, or one with other values, another limit or other"
              + " columns");
    }
    Candidate by =
        planned
            .find(place.plan())
            .or(() -> begun.find(place.plan(), catalog))
            .orElseThrow(
                () ->
                    refused(
                        "it belongs to another query, or to a plan that is no longer made because"
                            + " an index is gone, or because statistics were renewed and other"
                            + " indexes are combined by now"));
    return new Stage(by, place.offset(), place.limit(), place.ended(), place.position());
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "The continuation cannot be used: %s. Begin the query again".formatted(why));
  }
}
