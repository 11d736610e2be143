package dev.tidemark.records.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.group.GroupQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query for groups of records that share the values of some fields, and for their aggregates. It
 * reads aggregate indexes where they have the exact totals. Otherwise it reads the records and
 * keeps up to 100,000 groups in memory. Groups come in the order of their fields, null first.
 *
 * {@snippet :
 * users.query().groupBy(User_.CITY).select(count(), avg(User_.AGE)).having(count().ge(10L)).list(tx);
 * }
 *
 * @param <R> the Java class of the records
 */
public final class Grouping<R> extends Results<Row> {
  private final QueryEngine<R> engine;
  private final GroupSpec spec;
  private final List<Field<R, ?>> groups;
  private final List<Aggregate<R, ?>> aggregates;

  Grouping(
      QueryEngine<R> engine,
      GroupSpec spec,
      List<Field<R, ?>> groups,
      List<Aggregate<R, ?>> aggregates) {
    this.engine = engine;
    this.spec = spec;
    this.groups = List.copyOf(groups);
    this.aggregates = List.copyOf(aggregates);
  }

  private Grouping<R> with(GroupSpec other) {
    return new Grouping<>(engine, other, groups, aggregates);
  }

  /** Adds the aggregates {@code more} to each group. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Grouping<R> select(Aggregate<R, ?>... more) {
    List<Aggregate<R, ?>> all = new ArrayList<>(aggregates);
    all.addAll(Arrays.asList(more));
    GroupSpec wider = spec.asking(all.stream().map(Aggregate::spec).toList());
    return new Grouping<>(engine, wider, groups, all);
  }

  /**
   * Restricts the query to groups for which {@code filters}, and those given before, are all true.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Grouping<R> having(Filter<Row>... filters) {
    return with(spec.having(Filter.all(filters).condition()));
  }

  /** Sorts groups by {@code orders}: fields of the group, or selected aggregates. */
  public Grouping<R> orderBy(Sort<?>... orders) {
    List<Ordering> all = new ArrayList<>(spec.order());
    for (Sort<?> order : orders) {
      all.add(Query.ordering(order));
    }
    return with(spec.orderedBy(all));
  }

  /** Limits the number of groups to {@code rows}. */
  public Grouping<R> limit(long rows) {
    return with(spec.within(OptionalLong.of(Query.notNegative("limit", rows)), spec.offset()));
  }

  /** Skips the first {@code rows} groups. */
  public Grouping<R> offset(long rows) {
    return with(spec.within(spec.limit(), Query.notNegative("offset", rows)));
  }

  /**
   * The aggregate indexes from which the groups would be read, or the plan that would find their
   * records. Reads only the metadata of the store.
   */
  public Explain explain(ReadTransaction tx) {
    return new GroupQuery(engine, spec).explain(tx);
  }

  @Override
  Cursor<Row> open(ReadTransaction tx) {
    List<String> names = new ArrayList<>();
    groups.forEach(group -> names.add(group.name()));
    aggregates.forEach(aggregate -> names.add(aggregate.toString()));
    Row.Header header = new Row.Header(spec.columns(), names);
    return new IteratorCursor<>(
        new GroupQuery(engine, spec)
            .rows(tx).stream().map(row -> new Row(header, values(row))).iterator(),
        0,
        OptionalLong.empty(),
        () -> {});
  }

  private @Nullable Object[] values(@Nullable Object[] row) {
    @Nullable Object[] values = new @Nullable Object[row.length];
    for (int i = 0; i < row.length; i++) {
      values[i] =
          i < groups.size()
              ? decoded(groups.get(i), row[i])
              : aggregates.get(i - groups.size()).decoded(row[i]);
    }
    return values;
  }

  private static @Nullable Object decoded(Field<?, ?> field, @Nullable Object element) {
    Function<Object, ?> decoder = Objects.requireNonNull(field.decoder());
    return element == null ? null : decoder.apply(element);
  }

  @Override
  Grouping<R> atMost(long rows) {
    return limit(Math.min(rows, spec.limit().orElse(rows)));
  }

  @Override
  public String toString() {
    return "groups by %s of %s".formatted(groups, engine.type().name());
  }
}
