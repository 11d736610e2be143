package dev.tidemark.records.internal.query.engine;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.CollectedStatistics;
import dev.tidemark.records.internal.query.plan.PlanCache;
import dev.tidemark.records.internal.query.run.ExecutionCache;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.TypeView;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The plans of all types in one state of a store. */
public final class TypePlans {
  private final SpaceState state;
  private final Map<String, Known> types = new ConcurrentHashMap<>();

  /**
   * The caches of a type.
   *
   * @param plans its plans
   * @param prepared what their executions share
   */
  public record Known(PlanCache plans, ExecutionCache prepared) {}

  private TypePlans(SpaceState state) {
    this.state = state;
  }

  public static TypePlans of(SpaceState state) {
    return state.derived(TypePlans.class, () -> new TypePlans(state));
  }

  /** The plans for {@code type}; what they need to know of the store is read with {@code tx}. */
  public Known of(Space space, ReadTransaction tx, RecordType<?> type) {
    Known known = types.get(type.name());
    if (known == null) {
      Catalog catalog = catalog(space, tx, type);
      TypeView<?> view = TypeView.of(space, type, state);
      Known read =
          new Known(new PlanCache(catalog, space.activity()), new ExecutionCache(view, catalog));
      Known other = types.putIfAbsent(type.name(), read);
      known = other == null ? read : other;
    }
    return known;
  }

  private Catalog catalog(Space space, ReadTransaction tx, RecordType<?> type) {
    Map<IndexSpec, IndexState> indexes = new LinkedHashMap<>();
    for (IndexSpec index : space.schema().indexes()) {
      if (index.type().equals(type.name())) {
        indexes.put(index, state.state(index.name()));
      }
    }
    return Catalog.of(type.spec(), indexes, CollectedStatistics.of(space, tx.snapshot(), type));
  }
}
