package dev.tidemark.records.internal.query.group;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.Normalizer;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.store.Aggregates;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * An index fits if it holds exactly the records that are asked about, and its groups begin with the columns that
 * the query wants equal to something, followed by those that it groups by; groups that differ in what comes after
 * are joined. That alone does not tell which groups there are: sums keep groups without records, and nothing is
 * known of a group whose values are all null. So groups are taken from a count of records, or from extremes and
 * averages of a column that is never null. Records that have expired are still counted until they are swept; types
 * with expiry are therefore not answered from indexes.
 */

/**
 * Computes groups from the aggregate indexes of a type, where they have exactly the required
 * totals.
 */
public final class AggregateIndexes {
  private final TypeSpec type;
  private final List<IndexSpec> readable;
  private final Aggregates aggregates;

  /** A usable index with the values of its first columns. */
  private record Fit(IndexSpec index, List<@Nullable Object> prefix) {}

  /**
   * Uses {@code readable}, the readable indexes of {@code type}.
   *
   * @param aggregates reads them
   */
  public AggregateIndexes(TypeSpec type, List<IndexSpec> readable, Aggregates aggregates) {
    this.type = type;
    this.readable = readable;
    this.aggregates = aggregates;
  }

  /** The names of the indexes that have the groups of {@code spec}; empty if none have. */
  public List<String> answering(GroupSpec spec) {
    return plan(spec).map(plan -> plan.names()).orElse(List.of());
  }

  /** All groups of {@code spec}, unordered; empty if no indexes have them. */
  public Optional<List<@Nullable Object[]>> rows(ReadTransaction tx, GroupSpec spec) {
    return plan(spec).map(plan -> rows(tx, spec, plan));
  }

  /**
   * The indexes for a query.
   *
   * @param groups the index that lists the groups; empty for a single group
   * @param values an index for each aggregate
   */
  private record AnswerPlan(Optional<Fit> groups, List<Fit> values) {
    List<String> names() {
      List<String> names = new ArrayList<>();
      groups.ifPresent(fit -> names.add(fit.index().name()));
      values.forEach(fit -> names.add(fit.index().name()));
      return names.stream().distinct().toList();
    }
  }

  private Optional<AnswerPlan> plan(GroupSpec spec) {
    if (type.expiry().isPresent() || spec.aggregates().isEmpty()) {
      return Optional.empty();
    }
    List<Condition> asked = conjuncts(Normalizer.normalize(spec.source().condition()));
    List<Fit> values = new ArrayList<>();
    for (AggregateSpec aggregate : spec.aggregates()) {
      Optional<Fit> fit =
          readable.stream()
              .filter(index -> answers(index, aggregate))
              .flatMap(index -> fit(index, asked, spec.groups()).stream())
              .findFirst();
      if (fit.isEmpty()) {
        return Optional.empty();
      }
      values.add(fit.get());
    }
    if (spec.groups().isEmpty()) {
      return Optional.of(new AnswerPlan(Optional.empty(), values));
    }
    return readable.stream()
        .filter(this::knowsItsGroups)
        .flatMap(index -> fit(index, asked, spec.groups()).stream())
        .findFirst()
        .map(groups -> new AnswerPlan(Optional.of(groups), values));
  }

  private boolean answers(IndexSpec index, AggregateSpec aggregate) {
    Optional<ColumnSpec> column = aggregate.column();
    boolean ofColumn =
        column.isPresent()
            && !index.columns().isEmpty()
            && index.columns().getLast().path().equals(column.get().path());
    return switch (aggregate.function()) {
      case COUNT ->
          (index.kind() == IndexKind.COUNT && (column.isEmpty() || isNeverNull(column.get())))
              || (index.kind() == IndexKind.COUNT_NOT_NULL && ofColumn);
      case COUNT_DISTINCT -> false;
      case SUM -> index.kind() == IndexKind.SUM && ofColumn;
      case MIN -> index.kind() == IndexKind.MIN && ofColumn;
      case MAX -> index.kind() == IndexKind.MAX && ofColumn;
      case AVG -> index.kind() == IndexKind.AVERAGE && ofColumn;
    };
  }

  private boolean knowsItsGroups(IndexSpec index) {
    return switch (index.kind()) {
      case COUNT -> true;
      case MIN, MAX, AVERAGE -> isNeverNull(index.columns().getLast());
      case VALUE, COUNT_NOT_NULL, COUNT_UPDATES, SUM, MIN_EVER, MAX_EVER, RANK, VERSION, TEXT ->
          false;
    };
  }

  private boolean isNeverNull(ColumnSpec column) {
    return column.path().size() == 1
        && !column.fansOut()
        && type.field(column.path().getFirst().field())
            .map(field -> !field.nullable())
            .orElse(false);
  }

  // ---- fitting

  private static List<Condition> conjuncts(Condition condition) {
    return switch (condition) {
      case Condition.Always(boolean value) when value -> List.of();
      case Condition.And(var parts) ->
          parts.stream().flatMap(part -> conjuncts(part).stream()).toList();
      default -> List.of(condition);
    };
  }

  private static Optional<Fit> fit(
      IndexSpec index, List<Condition> asked, List<ColumnSpec> groups) {
    Set<Condition> rest = new HashSet<>(asked);
    for (Condition filter : conditions(index.filter())) {
      if (!rest.remove(filter)) {
        return Optional.empty();
      }
    }
    Map<List<ColumnSpec.Step>, @Nullable Object> equal = new HashMap<>();
    for (Condition condition : rest) {
      if (condition instanceof Condition.Compare(var column, var operator, var operand)
          && operator == Condition.Operator.EQ
          && !equal.containsKey(column.path())) {
        equal.put(column.path(), ((Operand.Value) operand).element());
      } else if (condition instanceof Condition.IsNull(var column)
          && !equal.containsKey(column.path())) {
        equal.put(column.path(), null);
      } else {
        return Optional.empty();
      }
    }
    return fit(index, equal, groups);
  }

  private static Optional<Fit> fit(
      IndexSpec index,
      Map<List<ColumnSpec.Step>, @Nullable Object> equal,
      List<ColumnSpec> groups) {
    Set<List<ColumnSpec.Step>> grouped = new HashSet<>();
    groups.forEach(group -> grouped.add(group.path()));
    grouped.removeAll(equal.keySet());
    List<ColumnSpec> columns = index.columns().subList(0, index.groupColumns());
    if (index.columns().stream().anyMatch(ColumnSpec::fansOut)
        || columns.size() < equal.size() + grouped.size()) {
      return Optional.empty();
    }
    List<@Nullable Object> prefix = new ArrayList<>();
    for (int i = 0; i < equal.size() + grouped.size(); i++) {
      List<ColumnSpec.Step> path = columns.get(i).path();
      if (i < equal.size() ? !equal.containsKey(path) : !grouped.contains(path)) {
        return Optional.empty();
      }
      if (i < equal.size()) {
        prefix.add(equal.get(path));
      }
    }
    return Optional.of(new Fit(index, prefix));
  }

  private static List<Condition> conditions(IndexFilter filter) {
    List<Condition> all = new ArrayList<>();
    for (IndexFilter.Comparison comparison : filter.comparisons()) {
      ColumnSpec column = comparison.column();
      Operand operand = new Operand.Value(comparison.operand());
      all.add(
          switch (comparison.operator()) {
            case EQ -> new Condition.Compare(column, Condition.Operator.EQ, operand);
            case NE -> new Condition.Compare(column, Condition.Operator.NE, operand);
            case LT -> new Condition.Compare(column, Condition.Operator.LT, operand);
            case LE -> new Condition.Compare(column, Condition.Operator.LE, operand);
            case GT -> new Condition.Compare(column, Condition.Operator.GT, operand);
            case GE -> new Condition.Compare(column, Condition.Operator.GE, operand);
            case IS_NULL -> new Condition.IsNull(column);
            case IS_NOT_NULL -> new Condition.Not(new Condition.IsNull(column));
          });
    }
    return all;
  }

  // ---- reading

  private List<@Nullable Object[]> rows(ReadTransaction tx, GroupSpec spec, AnswerPlan plan) {
    Map<Tuple, @Nullable Object[]> rows = new LinkedHashMap<>();
    Map<Fit, Map<Tuple, Object>> read = new HashMap<>();
    if (plan.groups().isEmpty()) {
      rows.put(Tuple.EMPTY, emptyRow(spec));
    } else {
      for (Tuple group : totals(tx, spec, plan.groups().get(), read).keySet()) {
        rows.put(group, emptyRow(spec));
        GroupQuery.checkCount(rows.size(), type);
      }
    }
    int columns = spec.groups().size();
    for (int i = 0; i < plan.values().size(); i++) {
      FieldType result = spec.aggregates().get(i).typeIn(type);
      for (Map.Entry<Tuple, Object> total :
          totals(tx, spec, plan.values().get(i), read).entrySet()) {
        @Nullable Object[] row = rows.get(total.getKey());
        if (row != null) {
          row[columns + i] = KeyElements.element(result, total.getValue());
        }
      }
    }
    for (Map.Entry<Tuple, @Nullable Object[]> group : rows.entrySet()) {
      @Nullable Object[] row = group.getValue();
      for (int i = 0; i < columns; i++) {
        row[i] = group.getKey().get(i);
      }
    }
    return List.copyOf(rows.values());
  }

  private @Nullable Object[] emptyRow(GroupSpec spec) {
    int columns = spec.groups().size();
    @Nullable Object[] row = new @Nullable Object[columns + spec.aggregates().size()];
    for (int i = columns; i < row.length; i++) {
      AggregateSpec aggregate = spec.aggregates().get(i - columns);
      row[i] =
          switch (aggregate.function()) {
            case COUNT, COUNT_DISTINCT, SUM -> 0L;
            case MIN, MAX, AVG -> null;
          };
    }
    return row;
  }

  /** The totals of an index, read once for all aggregates that use it. */
  private Map<Tuple, Object> totals(
      ReadTransaction tx, GroupSpec spec, Fit fit, Map<Fit, Map<Tuple, Object>> read) {
    return read.computeIfAbsent(fit, unread -> totals(tx, spec, unread));
  }

  /** The totals of an index by the groups of the query. */
  private Map<Tuple, Object> totals(ReadTransaction tx, GroupSpec spec, Fit fit) {
    List<List<ColumnSpec.Step>> paths =
        fit.index().columns().stream().map(ColumnSpec::path).toList();
    int width =
        fit.prefix().size()
            + (int)
                spec.groups().stream()
                    .map(ColumnSpec::path)
                    .distinct()
                    .filter(path -> paths.indexOf(path) >= fit.prefix().size())
                    .count();
    Map<Tuple, Object> totals = new LinkedHashMap<>();
    aggregates.joined(
        tx,
        fit.index().name(),
        fit.prefix(),
        width,
        total -> {
          boolean gone = fit.index().kind() == IndexKind.COUNT && total.value().equals(0L);
          if (!gone) {
            totals.put(group(spec, paths, total), total.value());
            GroupQuery.checkCount(totals.size(), type);
          }
        });
    return totals;
  }

  private static Tuple group(
      GroupSpec spec, List<List<ColumnSpec.Step>> paths, Aggregates.Total total) {
    Tuple group = Tuple.EMPTY;
    for (ColumnSpec column : spec.groups()) {
      group = group.append(total.group().get(paths.indexOf(column.path())));
    }
    return group;
  }
}
