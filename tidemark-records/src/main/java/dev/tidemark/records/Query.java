package dev.tidemark.records;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.Ordering;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.QuerySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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
    return new Query<>(engine, spec.orderedBy(orderings(List.of(orders))));
  }

  static <R> List<Ordering> orderings(List<Sort<R>> orders) {
    List<Ordering> all = new ArrayList<>();
    for (Sort<R> order : orders) {
      all.add(
          switch (order) {
            case Field<R, ?> field -> field.asc().ordering();
            case Sort.By<R> by -> by.ordering();
          });
    }
    return all;
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
   * Leaves out the first {@code rows} records. They are read all the same; a {@link Cursor} goes on
   * where another one stopped without that.
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

  // ---- answers

  /** A cursor over the records. */
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
    return engine.count(tx, spec);
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
   * Deletes the records, in batches that are transactions of their own: if it fails in between,
   * some are gone and others are not. What the relationships of a record say is done in its batch.
   *
   * @throws RelationshipException if another record refers to one of them and forbids that
   */
  public BulkProgress delete(BulkOptions options) {
    return engine.delete(spec, options);
  }

  /** Deletes the records with default options. */
  public BulkProgress delete() {
    return delete(BulkOptions.DEFAULTS);
  }

  /**
   * Saves what {@code change} makes of each record, in batches that are transactions of their own:
   * if it fails in between, some are changed and others are not. Each record that has the query's
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

  /** Saves what {@code change} makes of each record, with default options. */
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
