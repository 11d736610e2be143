package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The metadata of a type for the planner: immutable, and valid until the header of the store
 * changes.
 *
 * @param type the type
 * @param records the route through the records
 * @param indexes the routes through readable indexes
 * @param unreadable the names of the other indexes, with the reasons why they cannot be used
 * @param statistics the statistics of the records
 * @param filters the comparisons of all filters of {@code indexes}, each once
 */
public record Catalog(
    TypeSpec type,
    Route records,
    List<Route> indexes,
    Map<String, String> unreadable,
    TypeStatistics statistics,
    List<IndexFilter.Comparison> filters) {
  /** Copies the collections. */
  public Catalog {
    indexes = List.copyOf(indexes);
    unreadable = Map.copyOf(unreadable);
    filters = List.copyOf(filters);
  }

  /**
   * The metadata of {@code type}.
   *
   * @param indexes the indexes over the type, with their states
   */
  public static Catalog of(
      TypeSpec type, Map<IndexSpec, IndexState> indexes, TypeStatistics statistics) {
    List<Route> routes = new ArrayList<>();
    Map<String, String> unreadable = new TreeMap<>();
    indexes.forEach(
        (index, state) -> {
          if (!state.isReadable()) {
            unreadable.put(index.name(), "it is " + state);
          } else if (!Route.isOne(index)) {
            unreadable.put(
                index.name(), "%s indexes do not lead to records".formatted(index.kind()));
          } else {
            boolean unique = index.unique() && state == IndexState.READABLE;
            routes.add(Route.through(type, index, unique, statistics));
          }
        });
    List<IndexFilter.Comparison> filters =
        routes.stream().flatMap(route -> route.filter().stream()).distinct().toList();
    return new Catalog(
        type, Route.records(type, statistics), routes, unreadable, statistics, filters);
  }

  /** The route through {@code index}, or through the records if it is empty. */
  public Route route(Optional<String> index) {
    if (index.isEmpty()) {
      return records;
    }
    for (Route route : indexes) {
      if (route.index().equals(index)) {
        return route;
      }
    }
    throw new IllegalArgumentException(
        "%s has no readable index '%s'".formatted(type.name(), index.get()));
  }

  /** Whether {@code column}, which does not fan out, can be null. */
  public boolean isNullable(ColumnSpec column) {
    return isNullable(type, column);
  }

  static boolean isNullable(TypeSpec type, ColumnSpec column) {
    List<FieldSpec> fields = type.fields();
    for (ColumnSpec.Step step : column.path()) {
      Optional<FieldSpec> field =
          fields.stream().filter(candidate -> candidate.number() == step.field()).findFirst();
      if (field.isEmpty() || field.get().nullable()) {
        return true;
      }
      fields = field.get().type() instanceof FieldType.Nested nested ? nested.fields() : List.of();
    }
    return false;
  }
}
