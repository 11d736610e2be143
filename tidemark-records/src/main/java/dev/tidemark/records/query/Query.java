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
 * A question about the records of one type. Every call that says more about it answers another
 * query and leaves this one as it is.
 *
 * {@snippet :
 * users.query()
 *     .where(User_.CITY.eq("Tokyo"), User_.AGE.between(25, 35))
 *     .orderBy(User_.AGE.desc(), User_.NAME)
 *     .limit(20)
 *     .list(tx);
 * }
 *
 * <p>Each record comes once. Without an order, or where it makes no difference, they come in one
 * that is not promised.
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

  /** Wants only records for which all of {@code filters}, and those given before, are true. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Query<R> where(Filter<R>... filters) {
    return filters.length == 0
        ? this
        : new Query<>(engine, spec.and(Filter.all(filters).condition()));
  }

  /** Sorts by {@code orders}, the most important one first; behind those given before. */
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
   * Wants {@code rows} records at most.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Query<R> limit(long rows) {
    return new Query<>(engine, spec.limitedTo(OptionalLong.of(notNegative("limit", rows))));
  }

  /**
   * Leaves out the first {@code rows} records. Their entries are read all the same, unless there
   * are 200 or more and an index of kind {@link IndexKind#RANK} can count them; a {@link Cursor}
   * goes on where another one stopped without that.
   *
   * @throws IllegalArgumentException if {@code rows} is negative
   */
  public Query<R> offset(long rows) {
    return new Query<>(engine, spec.from(notNegative("offset", rows)));
  }

  /** Insists on {@code index}; a query that it cannot serve fails when it is run. */
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

  /** Wants only {@code fields}, as rows. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final Selection<R, Row> select(Field<R, ?>... fields) {
    Projection<R> projection = new Projection<>(Arrays.asList(fields));
    Row.Header header = projection.header();
    return new Selection<>(this, projection, values -> new Row(header, values), false);
  }

  /** Wants only one field, and what {@code form} makes of it. */
  public <A, T> Selection<R, T> select(Field<R, A> a, Function<? super A, ? extends T> form) {
    return selection(values -> form.apply(Query.<A>at(values, 0)), a);
  }

  /**
   * Wants only two fields, and what {@code form} makes of them: {@code select(User_.NAME,
   * User_.AGE, NameAndAge::new)}. It is given null where a record has no value.
   */
  public <A, B, T> Selection<R, T> select(
      Field<R, A> a, Field<R, B> b, BiFunction<? super A, ? super B, ? extends T> form) {
    return selection(values -> form.apply(Query.<A>at(values, 0), Query.<B>at(values, 1)), a, b);
  }

  /** Wants only three fields, and what {@code form} makes of them. */
  public <A, B, C, T> Selection<R, T> select(
      Field<R, A> a, Field<R, B> b, Field<R, C> c, Of3<A, B, C, T> form) {
    return selection(
        values -> form.make(Query.<A>at(values, 0), Query.<B>at(values, 1), Query.<C>at(values, 2)),
        a,
        b,
        c);
  }

  /** Wants only four fields, and what {@code form} makes of them. */
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

  /** Wants only five fields, and what {@code form} makes of them. */
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

  /** Wants only six fields, and what {@code form} makes of them. */
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

  /** Makes something of three values. */
  @FunctionalInterface
  public interface Of3<A, B, C, T> {
    /** Makes it. */
    T make(A a, B b, C c);
  }

  /** Makes something of four values. */
  @FunctionalInterface
  public interface Of4<A, B, C, D, T> {
    /** Makes it. */
    T make(A a, B b, C c, D d);
  }

  /** Makes something of five values. */
  @FunctionalInterface
  public interface Of5<A, B, C, D, E, T> {
    /** Makes it. */
    T make(A a, B b, C c, D d, E e);
  }

  /** Makes something of six values. */
  @FunctionalInterface
  public interface Of6<A, B, C, D, E, F, T> {
    /** Makes it. */
    T make(A a, B b, C c, D d, E e, F f);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private <T> Selection<R, T> selection(
      Function<@Nullable Object[], T> form, Field<R, ?>... fields) {
    return new Selection<>(this, new Projection<>(Arrays.asList(fields)), form, false);
  }

  /** Whoever makes an object of fields that can be null must be ready for null. */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  private static <V> V at(@Nullable Object[] values, int place) {
    return (V) values[place];
  }

  /**
   * Groups of records that share the values of {@code fields}; without fields, one group of all.
   *
   * @throws IllegalStateException if the query has an order, a limit or an offset, which would be
   *     of records and not of groups: give them to the groups
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
   * Each record with the one of {@code other} whose primary key it has in {@code reference}. A
   * record without one is left out.
   *
   * @param other which records it may be; its order does not matter
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

  /** As {@link #join}, but a record without one comes as well. */
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
   * A cursor over the records. If it has to sort them and cannot within {@code limits}, its first
   * {@code hasNext} throws {@link TooManyRecordsException}.
   */
  public Cursor<R> cursor(ReadTransaction tx, QueryLimits limits) {
    return engine.records(tx, spec, limits, null);
  }

  /**
   * A cursor over the records behind {@code continuation}, which a cursor of the same query gave.
   *
   * @throws IllegalArgumentException if it belongs to another query or to another schema
   */
  public Cursor<R> resume(ReadTransaction tx, QueryLimits limits, Continuation continuation) {
    return engine.records(tx, spec, limits, continuation);
  }

  /** How many records there are; at most as many as the limit says. */
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

  /** This query in no order, which makes no difference to an aggregate. */
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

  /** An index that is sorted by the field has the value at its end. */
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

  /** Whether there is one. */
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

  /** How the query would be answered, and why. Reads nothing but what is known of the store. */
  public Explain explain(ReadTransaction tx) {
    return engine.explain(tx, spec, false);
  }

  /** Runs the query and tells what each step of its plan did, beside what was expected of it. */
  public Explain explainRun(ReadTransaction tx) {
    return engine.explain(tx, spec, true);
  }

  // ---- more than a transaction

  /**
   * The records, read in as many transactions as it takes, for queries that take longer than a
   * transaction can. A page of them is read ahead, and no transaction is open while the caller is
   * at work.
   *
   * <p>What is given up for that: the pages are read at different times and without conflicts. A
   * record that stays as it is comes exactly once; one that is saved or deleted meanwhile may come
   * as it was, as it is, or, if it moves within the order that is read, twice or not at all. All
   * together they need never have existed at the same time.
   */
  public Stream<R> autoContinue() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            engine.longRead(spec), Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }

  /**
   * Deletes the records, in batches that are transactions of their own and committed one by one: if
   * it fails in between, some are gone and others are not. A transaction that the caller has open
   * has no part in it. What the relationships of a record say is done in its batch.
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
   * Saves what {@code change} makes of each record, in batches that are transactions of their own
   * and committed one by one: if it fails in between, some are changed and others are not. A
   * transaction that the caller has open has no part in it. Each record that has the query's
   * condition when the update comes to it is changed once, also if the change makes it meet the
   * condition again: the update goes in the order of the primary keys, which must stay as they are.
   *
   * <p>{@code change} may be called several times for a record whose batch is tried again, so it
   * should do nothing but answer.
   *
   * @throws IllegalArgumentException if the query has an order, a limit or an offset, or a record
   *     gets another primary key
   */
  public BulkProgress update(UnaryOperator<R> change, BulkOptions options) {
    return engine.update(spec, change, options);
  }

  /**
   * Saves what {@code change} makes of each record, with default options and in transactions of its
   * own; see {@link #update(UnaryOperator, BulkOptions)}.
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
