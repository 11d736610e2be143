package dev.tidemark.records.internal.sql;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.SqlException;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.group.DistinctRows;
import dev.tidemark.records.internal.query.group.GroupQuery;
import dev.tidemark.records.internal.query.group.JoinQuery;
import dev.tidemark.records.internal.query.match.RecordTests;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.sql.SqlScope.Column;
import dev.tidemark.records.internal.sql.SqlStatement.Item;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A parsed query as text, which runs on a space. */
public final class SqlRun {
  private static final Bindings NO_SLOTS = new Bindings(List.of());

  private final Space space;
  private final String text;
  private final SqlStatement statement;

  /**
   * Parses {@code text}.
   *
   * @param values the values of its parameters, in their order
   * @throws SqlException if it is wrong
   */
  public SqlRun(Space space, String text, List<? extends @Nullable Object> values) {
    this.space = space;
    this.text = text;
    this.statement = SqlParser.parse(space.schema(), text, values);
    check();
  }

  private SqlException wrong(int position, String what) {
    return new SqlException(text, position, what);
  }

  private void check() {
    boolean join = statement.join().isPresent();
    if (join && (statement.isGrouped() || statement.distinct())) {
      throw wrong(
          statement.items().getFirst().at().position(),
          "A join takes no DISTINCT, GROUP BY or aggregates");
    }
    for (Item item : statement.items()) {
      boolean ofGroup =
          item.column().isEmpty()
              || statement.groups().stream().anyMatch(item.column().get()::isSame);
      if (statement.isGrouped() && !ofGroup) {
        throw wrong(
            item.at().position(),
            "%s is neither an aggregate nor a column of GROUP BY".formatted(item.name()));
      }
      if (statement.distinct() && item.column().isPresent() && !item.column().get().isSingle()) {
        throw wrong(
            item.at().position(),
            "DISTINCT compares single values; %s is none".formatted(item.name()));
      }
    }
    List<ColumnSpec> ofGroups = groupSpec().columns();
    for (SqlStatement.Sorting sorting : statement.order()) {
      if (statement.isGrouped() && !ofGroups.contains(sorting.by().column())) {
        throw wrong(
            sorting.at().position(),
            "Groups are sorted by columns of GROUP BY and by aggregates, and this is neither");
      }
      if (join && sorting.source() != statement.join().get().referring()) {
        throw wrong(sorting.at().position(), "A join is sorted by columns of the type that refers");
      }
    }
  }

  /** The names of the columns. */
  public List<String> columns() {
    return statement.explain()
        ? List.of("plan")
        : statement.items().stream().map(Item::name).toList();
  }

  /** The rows, read as they are taken. */
  public SqlRows open(ReadTransaction tx) {
    if (statement.explain()) {
      return SqlRows.of(explained(tx));
    }
    if (statement.join().isPresent()) {
      return joined(tx);
    }
    QueryEngine<?> engine = engine(0);
    return statement.isGrouped() ? SqlRows.of(grouped(tx, engine)) : plain(tx, engine);
  }

  /** Whether the rows can be read in several transactions: those that are records. */
  public boolean isOfRecords() {
    boolean plain = statement.join().isEmpty() && !statement.isGrouped() && !statement.explain();
    return plain && !statement.distinct();
  }

  /** The rows, read in as many transactions as needed, if they {@link #isOfRecords}. */
  public SqlRows openLong() {
    return longRead(engine(0));
  }

  private <R> SqlRows longRead(QueryEngine<R> engine) {
    List<Column> columns = plainColumns();
    return SqlRows.of(
        engine.longRead(plainSpec()), record -> row(engine.type(), record, columns), () -> {});
  }

  private QueryEngine<?> engine(int source) {
    return new PlanningEngine<>(space, statement.sources().get(source).type());
  }

  private QuerySpec filtered(int source) {
    QuerySpec spec = QuerySpec.ALL;
    for (SqlStatement.Part part : statement.where()) {
      if (part.source() == source) {
        spec = spec.and(part.condition());
      }
    }
    return spec;
  }

  private List<Ordering> order() {
    return statement.order().stream().map(SqlStatement.Sorting::by).toList();
  }

  // ---- records

  private QuerySpec plainSpec() {
    QuerySpec spec = filtered(0).orderedBy(order());
    return statement.distinct() ? spec : spec.limitedTo(statement.limit()).from(statement.offset());
  }

  private List<Column> plainColumns() {
    return statement.items().stream().map(item -> item.column().orElseThrow()).toList();
  }

  /** What is read: the columns if all are single values, else whole records. */
  private QuerySpec readSpec() {
    List<Column> columns = plainColumns();
    return columns.stream().allMatch(Column::isSingle)
        ? plainSpec().wanting(columns.stream().map(Column::spec).toList())
        : plainSpec();
  }

  private <R> SqlRows plain(ReadTransaction tx, QueryEngine<R> engine) {
    List<Column> columns = plainColumns();
    QuerySpec spec = readSpec();
    if (spec.wanted().isPresent()) {
      return single(tx, engine, spec, columns);
    }
    Cursor<R> found = engine.records(tx, spec, QueryLimits.NONE, null);
    return SqlRows.of(found, record -> row(engine.type(), record, columns), found::close);
  }

  private SqlRows single(
      ReadTransaction tx, QueryEngine<?> engine, QuerySpec spec, List<Column> columns) {
    List<FieldType> types = columns.stream().map(Column::type).toList();
    List<ColumnSpec> wanted = columns.stream().map(Column::spec).toList();
    Cursor<@Nullable Object[]> found = engine.columns(tx, spec, QueryLimits.NONE, null);
    if (!statement.distinct()) {
      return SqlRows.of(found, elements -> values(types, elements), found::close);
    }
    Iterator<@Nullable Object[]> different =
        new DistinctRows<>(
            found, DistinctRows.areTogether(wanted, order()), elements -> values(types, elements));
    return SqlRows.of(different, row -> row, found::close)
        .within(statement.offset(), statement.limit());
  }

  private static @Nullable Object[] row(RecordType<?> type, Object record, List<Column> columns) {
    @Nullable Object[] row = new @Nullable Object[columns.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = value(type, record, columns.get(i));
    }
    return row;
  }

  private static @Nullable Object[] values(List<FieldType> types, @Nullable Object[] elements) {
    @Nullable Object[] values = new @Nullable Object[elements.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = KeyElements.value(types.get(i), elements[i]);
    }
    return values;
  }

  /** A single value has the form that it has in an index, wherever it comes from. */
  private static @Nullable Object value(RecordType<?> type, Object record, Column column) {
    Object value = held(type, record, column);
    return column.isSingle()
        ? KeyElements.value(column.type(), KeyElements.element(column.type(), value))
        : value;
  }

  @SuppressWarnings("unchecked") // records come from the store of this type
  private static @Nullable Object held(RecordType<?> type, Object record, Column column) {
    Object value = record;
    RecordCodec<Object> codec = (RecordCodec<Object>) type.codec();
    List<ColumnSpec.Step> path = column.spec().path();
    for (int i = 0; i < path.size() && value != null; i++) {
      if (i > 0) {
        codec = (RecordCodec<Object>) codec.nested(path.get(i - 1).field());
      }
      value = codec.get(value, path.get(i).field());
    }
    return value;
  }

  // ---- groups

  private GroupSpec groupSpec() {
    return GroupSpec.of(
            filtered(0),
            statement.groups().stream().map(Column::spec).toList(),
            statement.aggregates())
        .having(statement.having())
        .orderedBy(order())
        .within(statement.limit(), statement.offset());
  }

  private List<@Nullable Object[]> grouped(ReadTransaction tx, QueryEngine<?> engine) {
    GroupSpec spec = groupSpec();
    TypeSpec type = engine.type().spec();
    List<FieldType> types = GroupQuery.types(spec, type);
    List<ColumnSpec> known = spec.columns();
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (@Nullable Object[] elements : new GroupQuery(engine, spec).rows(tx)) {
      @Nullable Object[] all = values(types, elements);
      @Nullable Object[] row = new @Nullable Object[statement.items().size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = all[known.indexOf(key(statement.items().get(i)))];
      }
      rows.add(row);
    }
    return rows;
  }

  private static ColumnSpec key(Item item) {
    return item.aggregate()
        .map(AggregateSpec::key)
        .orElseGet(() -> item.column().orElseThrow().spec());
  }

  // ---- joins

  private SqlRows joined(ReadTransaction tx) {
    SqlStatement.Joining join = statement.join().orElseThrow();
    return joined(tx, join, engine(join.referring()), engine(1 - join.referring()));
  }

  private <L, R> SqlRows joined(
      ReadTransaction tx, SqlStatement.Joining join, QueryEngine<L> left, QueryEngine<R> right) {
    RecordTests tests = joinedTests(join, right);
    boolean outer = isOuter(join, tests);
    RowTest<Object> test = tests.with(NO_SLOTS);
    JoinQuery.Matches<L, R> matches = joinQuery(join, left, right).open(tx);
    Stream<JoinQuery.Match<L, R>> passing =
        StreamSupport.stream(Spliterators.spliteratorUnknownSize(matches, 0), false)
            .filter(match -> !outer || match.right() == null || test.holds(match.right()));
    return SqlRows.of(passing.iterator(), match -> row(join, left, right, match), matches::close)
        .within(statement.offset(), statement.limit());
  }

  private RecordTests joinedTests(SqlStatement.Joining join, QueryEngine<?> right) {
    return RecordTests.of(right.type(), filtered(1 - join.referring()).condition());
  }

  /** WHERE filters the pairs. If it is not true for nulls, no record without a match passes. */
  private static boolean isOuter(SqlStatement.Joining join, RecordTests tests) {
    return join.outer() && tests.holdOfNothing(NO_SLOTS);
  }

  private <L, R> JoinQuery<L, R> joinQuery(
      SqlStatement.Joining join, QueryEngine<L> left, QueryEngine<R> right) {
    boolean outer = isOuter(join, joinedTests(join, right));
    return new JoinQuery<>(
        left,
        filtered(join.referring()).orderedBy(order()),
        join.reference(),
        right,
        outer ? QuerySpec.ALL : filtered(1 - join.referring()),
        outer);
  }

  private <L, R> @Nullable Object[] row(
      SqlStatement.Joining join,
      QueryEngine<L> left,
      QueryEngine<R> right,
      JoinQuery.Match<L, R> match) {
    @Nullable Object[] row = new @Nullable Object[statement.items().size()];
    for (int i = 0; i < row.length; i++) {
      Column column = statement.items().get(i).column().orElseThrow();
      if (column.source() == join.referring()) {
        row[i] = value(left.type(), match.left(), column);
      } else if (match.right() != null) {
        row[i] = value(right.type(), match.right(), column);
      }
    }
    return row;
  }

  // ---- plans

  private List<@Nullable Object[]> explained(ReadTransaction tx) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    explain(tx).toString().lines().forEach(line -> rows.add(new @Nullable Object[] {line}));
    return rows;
  }

  /** The explanation of the query, made from the specifications that it runs with. */
  private Explain explain(ReadTransaction tx) {
    if (statement.join().isPresent()) {
      SqlStatement.Joining join = statement.join().get();
      return joinQuery(join, engine(join.referring()), engine(1 - join.referring())).explain(tx);
    }
    return statement.isGrouped()
        ? new GroupQuery(engine(0), groupSpec()).explain(tx)
        : engine(0).explain(tx, readSpec(), false);
  }
}
