package dev.tidemark.records.query;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.RelationshipException;
import dev.tidemark.records.TooManyRecordsException;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.AggregateSpec;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.group.JoinQuery;
import dev.tidemark.records.internal.sql.SqlRun;
import dev.tidemark.records.schema.IndexKind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A query for the records of one type. Immutable: each call that narrows it returns another query.
 *
 * {@snippet :
 * users.query()
 *     .where(User_.CITY.eq("Tokyo"), User_.AGE.between(25, 35))
 *     .orderBy(User_.AGE.desc(), User_.NAME)
 *     .limit(20)
 *     .list(tx);
 * }
 *
 * <p>Each record comes once. Records that no order distinguishes come in an unspecified order.
 *
 * @param <R> the Java class of the records
 */
public final class Query<R> extends Results<R> {
  static {
    Bridge.connect(
        new Bridge.Queries() {
          @Override
          public <T> Query<T> query(QueryEngine<T> engine, QuerySpec spec) {
            return new Query<>(engine, spec);
          }

          @Override
          public SqlQuery sqlQuery(Database database, SqlRun run) {
            return new SqlQuery(database, run);
          }
        });
  }

  private final QueryEngine<R> engine;
  private final QuerySpec spec;

  Query(QueryEngine<R> engine, QuerySpec spec) {
    this.engine = engine;
    this.spec = spec;
  }

  /**
   * Restricts the query to records for which {@code filters}, and those given before, are all true.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Query<R> where(Filter<R>... filters) {
    return filters.length == 0
        ? this
        : new Query<>(engine, spec.and(Filter.all(filters).condition()));
  }

  /** Sorts by {@code orders}, the most significant first, after those given before. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Query<R> orderBy(Sort<R>... orders) {
    return new Query<>(engine, spec.orderedBy(Arrays.stream(orders).map(Query::ordering).toList()));
  }

  static Ordering ordering(Sort<?> order) {
    return switch (order) {
      case Field<?, ?> field -> field.asc().ordering();
      case Sort.By<?> by -> by.ordering();
    };
  }

  /**
   * Limits the number of records to {@code rows}.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Query<R> limit(long rows) {
    return new Query<>(engine, spec.limitedTo(OptionalLong.of(notNegative("limit", rows))));
  }

  /**
   * Skips the first {@code rows} records. Their entries are still read, unless there are 200 or
   * more and an index of kind {@link IndexKind#RANK} can count them. A {@link Cursor} that resumes
   * from a continuation reads nothing that came before it.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Query<R> offset(long rows) {
    return new Query<>(engine, spec.from(notNegative("offset", rows)));
  }

  /**
   * Requires a plan that reads {@code index}; the query fails when it runs if the index cannot
   * serve it.
   */
  public Query<R> using(String index) {
    return new Query<>(engine, spec.using(index));
  }

  static long notNegative(String what, long rows) {
    if (rows < 0) {
      throw new IllegalArgumentException(
          "The %s is %d; it cannot be negative".formatted(what, rows));
    }
    return rows;
  }

  // ---- other forms

  /** Selects only {@code fields}, as rows. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Selection<R, Row> select(Field<R, ?>... fields) {
    Projection<R> projection = new Projection<>(Arrays.asList(fields));
    Row.Header header = projection.header();
    return new Selection<>(this, projection, values -> new Row(header, values), false);
  }

  /** Selects one field and applies {@code form} to it. */
  public <A, T> Selection<R, T> select(Field<R, A> a, Function<? super A, ? extends T> form) {
    return selection(values -> form.apply(Query.<A>at(values, 0)), a);
  }

  /**
   * Selects two fields and applies {@code form} to them: {@code select(User_.NAME, User_.AGE,
   * NameAndAge::new)}. The function gets null where a record has no value.
   */
  public <A, B, T> Selection<R, T> select(
      Field<R, A> a, Field<R, B> b, BiFunction<? super A, ? super B, ? extends T> form) {
    return selection(values -> form.apply(Query.<A>at(values, 0), Query.<B>at(values, 1)), a, b);
  }

  /** Selects three fields and applies {@code form} to them. */
  public <A, B, C, T> Selection<R, T> select(
      Field<R, A> a, Field<R, B> b, Field<R, C> c, Of3<A, B, C, T> form) {
    return selection(
        values -> form.make(Query.<A>at(values, 0), Query.<B>at(values, 1), Query.<C>at(values, 2)),
        a,
        b,
        c);
  }

  /** Selects four fields and applies {@code form} to them. */
  public <A, B, C, D, T> Selection<R, T> select(
      Field<R, A> a, Field<R, B> b, Field<R, C> c, Field<R, D> d, Of4<A, B, C, D, T> form) {
    return selection(
        values ->
            form.make(
                Query.<A>at(values, 0),
                Query.<B>at(values, 1),
                Query.<C>at(values, 2),
                Query.<D>at(values, 3)),
        a,
        b,
        c,
        d);
  }

  /** Selects five fields and applies {@code form} to them. */
  public <A, B, C, D, E, T> Selection<R, T> select(
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Of5<A, B, C, D, E, T> form) {
    return selection(
        values ->
            form.make(
                Query.<A>at(values, 0),
                Query.<B>at(values, 1),
                Query.<C>at(values, 2),
                Query.<D>at(values, 3),
                Query.<E>at(values, 4)),
        a,
        b,
        c,
        d,
        e);
  }

  /** Selects six fields and applies {@code form} to them. */
  public <A, B, C, D, E, F, T> Selection<R, T> select(
      Field<R, A> a,
      Field<R, B> b,
      Field<R, C> c,
      Field<R, D> d,
      Field<R, E> e,
      Field<R, F> f,
      Of6<A, B, C, D, E, F, T> form) {
    return selection(
        values ->
            form.make(
                Query.<A>at(values, 0),
                Query.<B>at(values, 1),
                Query.<C>at(values, 2),
                Query.<D>at(values, 3),
                Query.<E>at(values, 4),
                Query.<F>at(values, 5)),
        a,
        b,
        c,
        d,
        e,
        f);
  }

  /** A function of three values. */
  @FunctionalInterface
  public interface Of3<A, B, C, T> {
    /** Applies the function. */
    T make(A a, B b, C c);
  }

  /** A function of four values. */
  @FunctionalInterface
  public interface Of4<A, B, C, D, T> {
    /** Applies the function. */
    T make(A a, B b, C c, D d);
  }

  /** A function of five values. */
  @FunctionalInterface
  public interface Of5<A, B, C, D, E, T> {
    /** Applies the function. */
    T make(A a, B b, C c, D d, E e);
  }

  /** A function of six values. */
  @FunctionalInterface
  public interface Of6<A, B, C, D, E, F, T> {
    /** Applies the function. */
    T make(A a, B b, C c, D d, E e, F f);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private <T> Selection<R, T> selection(
      Function<@Nullable Object[], T> form, Field<R, ?>... fields) {
    return new Selection<>(this, new Projection<>(Arrays.asList(fields)), form, false);
  }

  /** The functions of callers get null for fields that are null. */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  private static <V> V at(@Nullable Object[] values, int place) {
    return (V) values[place];
  }

  /**
   * Groups the records by {@code fields}; without fields, all records are one group.
   *
   * @throws IllegalStateException if the query has an order, a limit or an offset; give them to the
   *     groups
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Grouping<R> groupBy(Field<R, ?>... fields) {
    if (!spec.order().isEmpty() || isLimited()) {
      throw new IllegalStateException(
          "groupBy goes before orderBy, limit and offset: give them to the groups");
    }
    List<Field<R, ?>> groups = List.copyOf(Arrays.asList(fields));
    groups.forEach(Field::requiredDecoder);
    GroupSpec groupSpec =
        GroupSpec.of(spec, groups.stream().map(Field::single).toList(), List.of());
    return new Grouping<>(engine, groupSpec, groups, List.of());
  }

  /**
   * Joins each record with the record of {@code other} whose primary key it has in {@code
   * reference}. A record without a match is left out.
   *
   * @param other the records to join with; its order does not matter
   * @throws IllegalArgumentException if the field does not hold primary keys of that type
   * @throws IllegalStateException if {@code other} has a limit or an offset: give them to the join
   */
  public <K, T> Join<Pair<R, T>> join(Field<R, K> reference, Query<T> other) {
    return new Join<>(
        new Join.Source<>(
            joined(reference, other, false),
            match -> new Pair<>(match.left(), Objects.requireNonNull(match.right()))),
        OptionalLong.empty(),
        0);
  }

  /** As {@link #join}, but includes records without a match. */
  public <K, T> Join<Pair<R, Optional<T>>> leftJoin(Field<R, K> reference, Query<T> other) {
    return new Join<>(
        new Join.Source<>(
            joined(reference, other, true),
            match -> new Pair<>(match.left(), Optional.ofNullable(match.right()))),
        OptionalLong.empty(),
        0);
  }

  private <T> JoinQuery<R, T> joined(Field<R, ?> reference, Query<T> other, boolean outer) {
    if (other.isLimited()) {
      throw new IllegalStateException(
          "The other query of a join has a limit or an offset: give them to the join");
    }
    return new JoinQuery<>(
        engine, spec, reference.single(), other.engine, other.spec.unordered(), outer);
  }

  private boolean isLimited() {
    return spec.limit().isPresent() || spec.offset() > 0;
  }

  // ---- answers

  /**
   * A cursor over the records. If it has to sort more of them than {@code limits} allow, its first
   * {@code hasNext} throws {@link TooManyRecordsException}.
   */
  public Cursor<R> cursor(ReadTransaction tx, QueryLimits limits) {
    return engine.records(tx, spec, limits, null);
  }

  /**
   * A cursor that resumes from {@code continuation}, which a cursor of the same query returned.
   *
   * @throws IllegalArgumentException if it belongs to another query or to another schema
   */
  public Cursor<R> resume(ReadTransaction tx, QueryLimits limits, Continuation continuation) {
    return engine.records(tx, spec, limits, continuation);
  }

  /** The number of records; at most the limit of the query. */
  public long count(ReadTransaction tx) {
    if (isLimited()) {
      return engine.count(tx, spec);
    }
    GroupSpec all =
        GroupSpec.of(
            spec,
            List.of(),
            List.of(new AggregateSpec(AggregateSpec.Function.COUNT, Optional.empty())));
    return engine
        .groups(tx, all)
        .map(rows -> (Long) Objects.requireNonNull(rows.getFirst()[0]))
        .orElseGet(() -> engine.count(tx, spec));
  }

  /**
   * The sum of {@code field} over all records, as {@link Aggregate#sum}.
   *
   * @throws IllegalStateException if the query has a limit or an offset
   */
  public Number sum(ReadTransaction tx, Field<R, ? extends Number> field) {
    return whole("sum").aggregate(tx, Aggregate.sum(field)).orElseThrow();
  }

  /**
   * The average of {@code field} over all records; empty if there are no values.
   *
   * @throws IllegalStateException if the query has a limit or an offset
   */
  public OptionalDouble avg(ReadTransaction tx, Field<R, ? extends Number> field) {
    return whole("avg").aggregate(tx, Aggregate.avg(field)).stream()
        .mapToDouble(value -> value)
        .findFirst();
  }

  /**
   * The smallest value of {@code field}; empty if there are none.
   *
   * @throws IllegalStateException if the query has a limit or an offset
   */
  public <V> Optional<V> min(ReadTransaction tx, Field<R, V> field) {
    return whole("min").extremum(tx, field, Aggregate.min(field), field.asc());
  }

  /**
   * The largest value of {@code field}; empty if there are none.
   *
   * @throws IllegalStateException if the query has a limit or an offset
   */
  public <V> Optional<V> max(ReadTransaction tx, Field<R, V> field) {
    return whole("max").extremum(tx, field, Aggregate.max(field), field.desc());
  }

  /** This query without an order, which an aggregate does not need. */
  private Query<R> whole(String aggregate) {
    if (isLimited()) {
      throw new IllegalStateException(
          "%s is over all records for which the filters are true, but the query has a limit or an offset"
              .formatted(aggregate));
    }
    return new Query<>(engine, spec.unordered());
  }

  private <V> Optional<V> aggregate(ReadTransaction tx, Aggregate<R, V> aggregate) {
    return groupBy()
        .select(aggregate)
        .first(tx)
        .flatMap(row -> Optional.ofNullable(row.get(aggregate)));
  }

  /** An index sorted by the field has the value at one end. */
  private <V> Optional<V> extremum(
      ReadTransaction tx, Field<R, V> field, Aggregate<R, V> aggregate, Sort.By<R> order) {
    Optional<List<@Nullable Object[]>> known =
        engine.groups(tx, GroupSpec.of(spec, List.of(), List.of(aggregate.spec())));
    if (known.isPresent()) {
      return Optional.ofNullable(aggregate.decoded(known.get().getFirst()[0]));
    }
    return where(field.isNotNull())
        .orderBy(order)
        .select(field)
        .first(tx)
        .flatMap(row -> Optional.ofNullable(row.get(field)));
  }

  /** Whether there is such a record. */
  public boolean exists(ReadTransaction tx) {
    return new Query<>(engine, spec.unordered()).atMost(1).count(tx) > 0;
  }

  @Override
  Cursor<R> open(ReadTransaction tx) {
    return engine.records(tx, spec, QueryLimits.NONE, null);
  }

  @Override
  Query<R> atMost(long rows) {
    return limit(Math.min(rows, spec.limit().orElse(rows)));
  }

  /** The plan that the query would use, and why. Reads only the metadata of the store. */
  public Explain explain(ReadTransaction tx) {
    return engine.explain(tx, spec, false);
  }

  /** Runs the query and compares what each step of its plan did with the estimates. */
  public Explain explainRun(ReadTransaction tx) {
    return engine.explain(tx, spec, true);
  }

  // ---- more than a transaction

  /**
   * The records, read in as many transactions as needed, for queries that take longer than a
   * transaction may. It reads a page ahead; no transaction is open while the caller processes it.
   *
   * <p>The price is consistency: pages are read at different versions and without read conflicts. A
   * record that does not change meanwhile comes exactly once. A record that is saved or deleted
   * meanwhile may come in its old or its new form or, if it moves within the order that is read,
   * twice or not at all. The records together may never have existed at one time.
   */
  public Stream<R> autoContinue() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            engine.longRead(spec), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /**
   * Deletes the records in batches, each a transaction of its own. If it fails in between, the
   * batches before are committed. A transaction of the caller takes no part in it. The
   * relationships of a record are applied in its batch.
   *
   * @throws RelationshipException if another record refers to one of them and forbids that
   */
  public BulkProgress delete(BulkOptions options) {
    return engine.delete(spec, options);
  }

  /**
   * Deletes the records with default options, in transactions of its own; see {@link
   * #delete(BulkOptions)}.
   */
  public BulkProgress delete() {
    return delete(BulkOptions.DEFAULTS);
  }

  /**
   * Applies {@code change} to each record and saves the result, in batches, each a transaction of
   * its own. If it fails in between, the batches before are committed. A transaction of the caller
   * takes no part in it. A record that meets the condition when the update reaches it is changed
   * once, even if the result meets the condition again: the update follows the order of the primary
   * keys, which {@code change} must not change.
   *
   * <p>{@code change} may run several times for a record whose batch is retried, so it must have no
   * side effects.
   *
   * @throws IllegalArgumentException if the query has an order, a limit or an offset, or a record
   *     gets another primary key
   */
  public BulkProgress update(UnaryOperator<R> change, BulkOptions options) {
    return engine.update(spec, change, options);
  }

  /**
   * Applies {@code change} to each record with default options, in transactions of its own; see
   * {@link #update(UnaryOperator, BulkOptions)}.
   */
  public BulkProgress update(UnaryOperator<R> change) {
    return update(change, BulkOptions.DEFAULTS);
  }

  QueryEngine<R> engine() {
    return engine;
  }

  QuerySpec spec() {
    return spec;
  }

  @Override
  public String toString() {
    return engine.type().name() + spec;
  }
}
