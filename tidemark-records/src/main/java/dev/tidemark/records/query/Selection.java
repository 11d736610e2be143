package dev.tidemark.records.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.group.DistinctRows;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query for some fields of records. If an index holds all of them, no record is read.
 *
 * @param <R> the Java class of the records
 * @param <T> the result that is made from the fields
 */
public final class Selection<R, T> extends Results<T> {
  /** The largest number of distinct rows that {@link #distinct} keeps in memory. */
  public static final int DISTINCT_MAX = DistinctRows.MAX;

  private final Query<R> query;
  private final Projection<R> projection;
  private final Function<@Nullable Object[], T> form;
  private final boolean distinct;

  Selection(
      Query<R> query,
      Projection<R> projection,
      Function<@Nullable Object[], T> form,
      boolean distinct) {
    this.query = query;
    this.projection = projection;
    this.form = form;
    this.distinct = distinct;
  }

  /**
   * This selection without duplicate rows. Up to {@link #DISTINCT_MAX} distinct rows are kept in
   * memory; none if the query is sorted by exactly these fields.
   *
   * @throws IllegalArgumentException if one of the fields is a collection or a nested record
   */
  public Selection<R, T> distinct() {
    if (!projection.isOfElements()) {
      throw new IllegalArgumentException(
          "distinct compares single values; one of %s is a collection, a nested record or an enum without its constants"
              .formatted(projection.fields()));
    }
    return new Selection<>(query, projection, form, true);
  }

  /**
   * A cursor over the results.
   *
   * @throws IllegalStateException if the selection is distinct, because another cursor does not
   *     know the rows before it
   */
  public Cursor<T> cursor(ReadTransaction tx, QueryLimits limits) {
    checkResumable();
    return rows(tx, query.spec(), limits, null);
  }

  /** A cursor that resumes from {@code continuation}, as {@link Query#resume}. */
  public Cursor<T> resume(ReadTransaction tx, QueryLimits limits, Continuation continuation) {
    checkResumable();
    return rows(tx, query.spec(), limits, continuation);
  }

  private void checkResumable() {
    if (distinct) {
      throw new IllegalStateException(
          "A cursor cannot go on with distinct results; take a list or a stream");
    }
  }

  /** The plan that would find the fields, as {@link Query#explain}. */
  public Explain explain(ReadTransaction tx) {
    return query.engine().explain(tx, readSpec(), false);
  }

  /** Runs it and shows what each step did, as {@link Query#explainRun}. */
  public Explain explainRun(ReadTransaction tx) {
    return query.engine().explain(tx, readSpec(), true);
  }

  /** The query to read: all rows if only distinct ones are wanted. */
  private QuerySpec readSpec() {
    QuerySpec spec = query.spec();
    QuerySpec read = distinct ? spec.limitedTo(OptionalLong.empty()).from(0) : spec;
    return projection.isOfElements() ? read.wanting(projection.columns()) : read;
  }

  @Override
  Cursor<T> open(ReadTransaction tx) {
    return distinct ? distinctRows(tx) : rows(tx, query.spec(), QueryLimits.NONE, null);
  }

  private Cursor<T> rows(
      ReadTransaction tx, QuerySpec spec, QueryLimits limits, @Nullable Continuation from) {
    if (!projection.isOfElements()) {
      return new MappedCursor<>(
          query.engine().records(tx, spec, limits, from),
          record -> form.apply(projection.ofRecord(record)));
    }
    return new MappedCursor<>(
        query.engine().columns(tx, spec.wanting(projection.columns()), limits, from),
        elements -> form.apply(projection.ofElements(elements)));
  }

  private Cursor<T> distinctRows(ReadTransaction tx) {
    QuerySpec spec = query.spec();
    Cursor<@Nullable Object[]> rows =
        query.engine().columns(tx, readSpec(), QueryLimits.NONE, null);
    Iterator<T> different =
        new DistinctRows<>(
            rows,
            DistinctRows.areTogether(projection.columns(), spec.order()),
            elements -> form.apply(projection.ofElements(elements)));
    return new IteratorCursor<>(different, spec.offset(), spec.limit(), rows::close);
  }

  @Override
  Selection<R, T> atMost(long rows) {
    return new Selection<>(query.atMost(rows), projection, form, distinct);
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(projection.fields(), query);
  }
}
