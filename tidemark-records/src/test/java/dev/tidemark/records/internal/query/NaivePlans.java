package dev.tidemark.records.internal.query;

import dev.tidemark.records.internal.index.TextWords;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.internal.query.condition.Narrowing;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import dev.tidemark.records.internal.query.plan.Catalog;
import dev.tidemark.records.internal.query.plan.GivenOrder;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.plan.Planner;
import dev.tidemark.records.internal.query.plan.Route;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs plans over a list of records by the words of their Javadoc, without a store. */
public final class NaivePlans {
  private final Catalog catalog;
  private final Bindings bindings;
  private final List<NaiveRow> records;

  /** An entry of an index: its key, ascending, and the record that it leads to. */
  private record Entry(List<@Nullable Object> key, NaiveRow record) {}

  /** A row of a plan; of a covering one only what its entry has, and the record it stands for. */
  public record Row(NaiveRow shown, NaiveRow record) {}

  public NaivePlans(Catalog catalog, Bindings bindings, List<NaiveRow> records) {
    this.catalog = catalog;
    this.bindings = bindings;
    this.records = records;
  }

  public List<Row> run(Plan plan) {
    return switch (plan) {
      case Plan.Nothing nothing -> List.of();
      case Plan.Read read -> read(read);
      case Plan.Intersection intersection -> intersection(intersection);
      case Plan.Union union -> union(union);
      case Plan.Sorted(var source, var by) ->
          run(source).stream().sorted((a, b) -> compare(a.shown(), b.shown(), by)).toList();
    };
  }

  private List<Row> read(Plan.Read read) {
    Route route = catalog.route(read.access().index());
    Set<ColumnSpec> columns = GivenOrder.columns(route);
    if (read.mergedBy().isEmpty()) {
      return rows(read, columns, entries(read.access()));
    }
    List<List<Row>> ranges = new ArrayList<>();
    for (Access single : singles(read.access())) {
      ranges.add(rows(read, columns, entries(single)));
    }
    return merged(ranges, read.mergedBy());
  }

  private List<Row> rows(Plan.Read read, Set<ColumnSpec> columns, List<Entry> entries) {
    Set<NaiveRow> seen = new HashSet<>();
    List<Row> rows = new ArrayList<>();
    for (Entry entry : entries) {
      NaiveRow shown = entry.record().only(columns);
      if (seen.add(entry.record()) && shown.meets(read.onEntry(), bindings)) {
        Row row = new Row(read.covering() ? shown : entry.record(), entry.record());
        if (row.shown().meets(read.onRecord(), bindings)) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  /** One access for each combination of values. */
  private List<Access> singles(Access access) {
    List<List<Leading>> all = List.of(List.of());
    for (int i = 0; i < access.leading().size(); i++) {
      List<List<Leading>> longer = new ArrayList<>();
      for (List<Leading> start : all) {
        for (Leading next : values(access, i)) {
          List<Leading> both = new ArrayList<>(start);
          both.add(next);
          longer.add(both);
        }
      }
      all = longer;
    }
    return all.stream()
        .map(each -> new Access(access.index(), each, access.range(), access.reverse()))
        .toList();
  }

  private List<Leading> values(Access access, int place) {
    if (!(access.leading().get(place) instanceof Leading.EachOf(var operands))) {
      return List.of(access.leading().get(place));
    }
    List<Leading> values = new ArrayList<>();
    for (Object value : bindings.list(operands)) {
      values.add(new Leading.Equal(new Operand.Value(value)));
    }
    return values;
  }

  private List<Entry> entries(Access access) {
    Route route = catalog.route(access.index());
    List<Entry> entries = new ArrayList<>();
    for (NaiveRow record : records) {
      if (holds(route, record)) {
        for (List<@Nullable Object> key : keys(route, record)) {
          if (contains(access, key)) {
            entries.add(new Entry(key, record));
          }
        }
      }
    }
    Comparator<Entry> order = (a, b) -> compare(route, a.key(), b.key());
    entries.sort(access.reverse() ? order.reversed() : order);
    return entries;
  }

  private static boolean holds(Route route, NaiveRow record) {
    for (IndexFilter.Comparison comparison : route.filter()) {
      Object value = record.value(comparison.column());
      boolean holds =
          switch (comparison.operator()) {
            case IS_NULL -> value == null;
            case IS_NOT_NULL -> value != null;
            case EQ -> meets(value, Condition.Operator.EQ, comparison);
            case NE -> meets(value, Condition.Operator.NE, comparison);
            case LT -> meets(value, Condition.Operator.LT, comparison);
            case LE -> meets(value, Condition.Operator.LE, comparison);
            case GT -> meets(value, Condition.Operator.GT, comparison);
            case GE -> meets(value, Condition.Operator.GE, comparison);
          };
      if (!holds) {
        return false;
      }
    }
    return true;
  }

  private static boolean meets(
      @Nullable Object value, Condition.Operator operator, IndexFilter.Comparison comparison) {
    return value != null && Narrowing.meets(value, operator, comparison.operand());
  }

  private static List<List<@Nullable Object>> keys(Route route, NaiveRow record) {
    List<List<@Nullable Object>> keys = List.of(List.of());
    for (ColumnSpec column : route.key()) {
      List<List<@Nullable Object>> longer = new ArrayList<>();
      for (List<@Nullable Object> key : keys) {
        for (Object value : values(Planner.ascending(column), record)) {
          List<@Nullable Object> both = new ArrayList<>(key);
          both.add(value);
          longer.add(both);
        }
      }
      keys = longer;
    }
    return keys.stream().distinct().toList();
  }

  private static List<@Nullable Object> values(ColumnSpec column, NaiveRow record) {
    List<@Nullable Object> values = new ArrayList<>();
    if (!column.fansOut()) {
      values.add(record.value(column));
      return values;
    }
    if (TextConditions.isWords(column)) {
      if (record.value(TextConditions.text(column)) instanceof String text) {
        values.addAll(TextWords.of(text));
      }
      return values;
    }
    ColumnSpec list = new ColumnSpec(column.path().subList(0, 1), false);
    List<NaiveRow> elements = record.elements(list);
    if (elements == null) {
      values.add(null);
      return values;
    }
    boolean plain = column.path().size() == 1;
    ColumnSpec inner =
        plain
            ? Condition.ELEMENT
            : new ColumnSpec(column.path().subList(1, column.path().size()), false);
    elements.forEach(element -> values.add(element.value(inner)));
    return values;
  }

  private static int compare(
      Route route, List<@Nullable Object> left, List<@Nullable Object> right) {
    for (int i = 0; i < left.size(); i++) {
      int order = ElementOrder.NULLS_FIRST.compare(left.get(i), right.get(i));
      if (order != 0) {
        return route.key().get(i).descending() ? -order : order;
      }
    }
    return 0;
  }

  private boolean contains(Access access, List<@Nullable Object> key) {
    for (int i = 0; i < access.leading().size(); i++) {
      Object value = key.get(i);
      boolean fits =
          switch (access.leading().get(i)) {
            case Leading.Equal(var operand) ->
                ElementOrder.NULLS_FIRST.compare(value, bindings.element(operand)) == 0;
            case Leading.EachOf(var operands) ->
                bindings.list(operands).stream()
                    .anyMatch(each -> ElementOrder.NULLS_FIRST.compare(value, each) == 0);
            case Leading.Null none -> value == null;
            case Leading.Any any -> true;
          };
      if (!fits) {
        return false;
      }
    }
    return access.range() instanceof Range.All
        || contains(access.range(), key.get(access.leading().size()));
  }

  private boolean contains(Range range, @Nullable Object value) {
    return switch (range) {
      case Range.All all -> true;
      case Range.NotNull notNull -> value != null;
      case Range.Prefix(var operand) ->
          value instanceof String text && text.startsWith((String) bindings.element(operand));
      case Range.Between(var lower, var upper) ->
          value != null
              && lower.stream()
                  .allMatch(
                      bound ->
                          Narrowing.meets(
                              value,
                              bound.inclusive() ? Condition.Operator.GE : Condition.Operator.GT,
                              bindings.element(bound.operand())))
              && upper.stream()
                  .allMatch(
                      bound ->
                          Narrowing.meets(
                              value,
                              bound.inclusive() ? Condition.Operator.LE : Condition.Operator.LT,
                              bindings.element(bound.operand())));
    };
  }

  /** Relies on each access being in the order of primary keys. */
  private List<Row> intersection(Plan.Intersection plan) {
    List<NaiveRow> common = null;
    for (Access access : plan.accesses()) {
      List<NaiveRow> rows = entries(access).stream().map(Entry::record).toList();
      if (common == null) {
        common = new ArrayList<>(rows);
      } else {
        common.retainAll(rows);
      }
      for (int i = 1; i < rows.size(); i++) {
        if (comparePrimaryKeys(rows.get(i - 1), rows.get(i)) >= 0) {
          throw new AssertionError(access + " is not in the order of primary keys");
        }
      }
    }
    return common == null
        ? List.of()
        : common.stream()
            .filter(row -> row.meets(plan.onRecord(), bindings))
            .map(row -> new Row(row, row))
            .toList();
  }

  private int comparePrimaryKeys(NaiveRow left, NaiveRow right) {
    for (ColumnSpec column : catalog.records().key()) {
      int order = ElementOrder.NULLS_FIRST.compare(left.value(column), right.value(column));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private List<Row> union(Plan.Union union) {
    List<List<Row>> all = new ArrayList<>();
    for (int i = 0; i < union.branches().size(); i++) {
      List<Plan.Branch> before = union.branches().subList(0, i);
      all.add(
          run(union.branches().get(i).plan()).stream()
              .filter(
                  row ->
                      before.stream()
                          .noneMatch(branch -> row.shown().meets(branch.condition(), bindings)))
              .toList());
    }
    return union.mergedBy().isEmpty()
        ? all.stream().flatMap(List::stream).toList()
        : merged(all, union.mergedBy());
  }

  /** Takes the smallest of the first rows again and again, so that unsorted sources show. */
  private static List<Row> merged(List<List<Row>> sources, List<Ordering> by) {
    List<List<Row>> left = new ArrayList<>();
    sources.forEach(source -> left.add(new ArrayList<>(source)));
    List<Row> merged = new ArrayList<>();
    while (true) {
      left.removeIf(List::isEmpty);
      if (left.isEmpty()) {
        return merged;
      }
      merged.add(
          left.stream()
              .min((a, b) -> compare(a.getFirst().shown(), b.getFirst().shown(), by))
              .orElseThrow()
              .removeFirst());
    }
  }

  public static int compare(NaiveRow left, NaiveRow right, List<Ordering> by) {
    for (Ordering ordering : by) {
      Object a = left.value(ordering.column());
      Object b = right.value(ordering.column());
      if (a == null || b == null) {
        int order = Boolean.compare(a != null, b != null);
        if (order != 0) {
          return ordering.nullsFirst() ? order : -order;
        }
      } else {
        int order = ElementOrder.NULLS_FIRST.compare(a, b);
        if (order != 0) {
          return ordering.descending() ? -order : order;
        }
      }
    }
    return 0;
  }
}
