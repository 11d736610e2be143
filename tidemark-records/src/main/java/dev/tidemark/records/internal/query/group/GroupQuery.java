package dev.tidemark.records.internal.query.group;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.ColumnNames;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.ConditionColumns;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.match.EntryTests;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a query for groups: from aggregate indexes if they have the totals, otherwise from the
 * records. Groups come in the order of the store.
 */
public final class GroupQuery {
  /** The largest number of groups in memory. */
  public static final int GROUPS_MAX = 100_000;

  private static final Bindings NO_SLOTS = new Bindings(List.of());

  private final QueryEngine<?> engine;
  private final GroupSpec spec;

  /**
   * A query for groups that {@code engine} runs.
   *
   * @throws IllegalArgumentException if it asks about something that its rows do not have
   */
  public GroupQuery(QueryEngine<?> engine, GroupSpec spec) {
    this.engine = engine;
    this.spec = spec;
    ConditionColumns.single(spec.having()).forEach(asked -> checkIsThere(asked, "asked about"));
    ConditionColumns.fannedOut(spec.having()).forEach(asked -> checkIsThere(asked, "asked about"));
    spec.order().forEach(by -> checkIsThere(by.column(), "sorted by"));
  }

  private void checkIsThere(ColumnSpec column, String how) {
    if (spec.columns().stream().noneMatch(known -> known.path().equals(column.path()))) {
      throw new IllegalArgumentException(
          "Groups of %s are %s %s, which is neither one of their fields nor an aggregate that the query selects"
              .formatted(
                  engine.type().name(), how, AggregateSpec.name(engine.type().spec(), column)));
    }
  }

  /** The rows of the result: the elements of {@link GroupSpec#columns}. */
  public List<@Nullable Object[]> rows(ReadTransaction tx) {
    List<@Nullable Object[]> all =
        new ArrayList<>(engine.groups(tx, spec).orElseGet(() -> computed(tx)));
    RowTest<@Nullable Object[]> having =
        EntryTests.of(spec.columns(), spec.having()).with(NO_SLOTS);
    all.removeIf(row -> !having.holds(row));
    all.sort(order());
    int from = (int) Math.min(spec.offset(), all.size());
    int rows = (int) Math.min(spec.limit().orElse(Long.MAX_VALUE), all.size() - from);
    return List.copyOf(all.subList(from, from + rows));
  }

  /**
   * How the groups are found: in aggregate indexes, of which nothing is estimated, or from the rows
   * of a plan.
   */
  public Explain explain(ReadTransaction tx) {
    List<String> indexes = engine.groupIndexes(tx, spec);
    if (indexes.isEmpty()) {
      Explain source = engine.explain(tx, spec.source().wanting(read()), false);
      Explain.Node root = node("groups", List.of(), source.plan().estimate(), source.plan());
      return new Explain(root, source.rejected());
    }
    List<String> details = List.of("read from " + String.join(", ", indexes));
    return new Explain(node("groups from aggregate indexes", details, Optional.empty()), List.of());
  }

  private static Explain.Node node(
      String what,
      List<String> details,
      Optional<Explain.Estimate> estimate,
      Explain.Node... sources) {
    return new Explain.Node(
        what, Optional.empty(), details, estimate, Optional.empty(), List.of(sources));
  }

  /** The columns to read where no index has the groups. */
  private List<ColumnSpec> read() {
    List<ColumnSpec> wanted = new ArrayList<>(spec.groups());
    for (AggregateSpec aggregate : spec.aggregates()) {
      aggregate.column().filter(column -> !wanted.contains(column)).ifPresent(wanted::add);
    }
    return wanted;
  }

  private Comparator<@Nullable Object[]> order() {
    List<Ordering> by = new ArrayList<>(spec.order());
    spec.groups().forEach(group -> by.add(new Ordering(group, false, true)));
    return new RowOrder(spec.columns(), by);
  }

  // ---- computing

  private List<@Nullable Object[]> computed(ReadTransaction tx) {
    List<ColumnSpec> wanted = read();
    int[] places = new int[spec.aggregates().size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = spec.aggregates().get(i).column().map(wanted::indexOf).orElse(-1);
    }
    Map<Tuple, Accumulator[]> groups = new HashMap<>();
    if (spec.groups().isEmpty()) {
      groups.put(Tuple.EMPTY, accumulators());
    }
    try (Cursor<@Nullable Object[]> rows =
        engine.columns(tx, spec.source().wanting(wanted), QueryLimits.NONE, null)) {
      while (rows.hasNext()) {
        add(groups, rows.next(), places);
      }
    }
    return groups.entrySet().stream().map(this::row).toList();
  }

  private void add(Map<Tuple, Accumulator[]> groups, @Nullable Object[] row, int[] places) {
    Tuple key = Tuple.EMPTY;
    if (!spec.groups().isEmpty()) {
      @Nullable Object[] group = Arrays.copyOf(row, spec.groups().size());
      key = KeyElements.alike(group);
    }
    Accumulator[] totals = groups.get(key);
    if (totals == null) {
      totals = accumulators();
      groups.put(key, totals);
      checkCount(groups.size(), engine.type().spec());
    }
    for (int i = 0; i < totals.length; i++) {
      totals[i].add(places[i] < 0 ? null : row[places[i]]);
    }
  }

  static void checkCount(int groups, TypeSpec type) {
    if (groups > GROUPS_MAX) {
      throw new IllegalStateException(
          "A query of %s has more than %,d groups, which is as many as are kept in memory. Ask for fewer with a filter, or go through the groups of an aggregate index"
              .formatted(type.name(), GROUPS_MAX));
    }
  }

  private Accumulator[] accumulators() {
    TypeSpec type = engine.type().spec();
    return spec.aggregates().stream()
        .map(
            one ->
                Accumulator.of(
                    one.function(),
                    one.column().map(column -> column.typeIn(type)).orElse(null),
                    () -> ColumnNames.of(type, one.column().orElseThrow())))
        .toArray(Accumulator[]::new);
  }

  private @Nullable Object[] row(Map.Entry<Tuple, Accumulator[]> group) {
    int columns = spec.groups().size();
    @Nullable Object[] row = new @Nullable Object[columns + group.getValue().length];
    for (int i = 0; i < row.length; i++) {
      row[i] =
          i < columns
              ? KeyElements.number(
                  spec.groups().get(i).typeIn(engine.type().spec()), group.getKey().get(i))
              : group.getValue()[i - columns].result();
    }
    return row;
  }

  /** The types of the elements of a row. */
  public static List<FieldType> types(GroupSpec spec, TypeSpec type) {
    List<FieldType> types = new ArrayList<>();
    spec.groups().forEach(group -> types.add(group.typeIn(type)));
    spec.aggregates().forEach(aggregate -> types.add(aggregate.typeIn(type)));
    return types;
  }
}
