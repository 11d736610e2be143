package dev.tidemark.records.internal.query;

import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.IndexState;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.internal.Space;
import dev.tidemark.records.internal.SpaceState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The plans for all types of a store, for as long as it stays as it is. */
final class TypePlans {
  private final SpaceState state;
  private final Map<String, PlanCache> types = new ConcurrentHashMap<>();

  private TypePlans(SpaceState state) {
    this.state = state;
  }

  static TypePlans of(SpaceState state) {
    return state.derived(TypePlans.class, () -> new TypePlans(state));
  }

  PlanCache of(Space space, RecordType<?> type) {
    PlanCache known = types.get(type.name());
    return known != null
        ? known
        : types.computeIfAbsent(type.name(), name -> new PlanCache(catalog(space, type)));
  }

  private Catalog catalog(Space space, RecordType<?> type) {
    Map<IndexSpec, IndexState> indexes = new LinkedHashMap<>();
    for (IndexSpec index : space.schema().indexes()) {
      if (index.type().equals(type.name())) {
        indexes.put(index, state.state(index.name()));
      }
    }
    return Catalog.of(type.spec(), indexes, TypeStatistics.UNKNOWN);
  }
}
