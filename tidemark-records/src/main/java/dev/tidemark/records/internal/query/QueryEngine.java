package dev.tidemark.records.internal.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.records.internal.query.condition.GroupSpec;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.BulkProgress;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about the records of one type.
 *
 * @param <R> the Java class of the records
 */
public interface QueryEngine<R> {
  /** The type of the records. */
  RecordType<R> type();

  /**
   * The whole records that {@code query} wants, with {@code query.wanted()} left aside.
   *
   * @param from where an earlier cursor of the same query stopped; null for the beginning
   */
  Cursor<R> records(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from);

  /**
   * The columns that {@code query} wants, each row as the elements of {@code query.wanted()} in
   * that order. A row is the caller's to keep.
   *
   * @param from where an earlier cursor of the same query stopped; null for the beginning
   */
  Cursor<@Nullable Object[]> columns(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from);

  /** How many records {@code query} wants. */
  long count(ReadTransaction tx, QuerySpec query);

  /**
   * How {@code query} is answered, and why.
   *
   * @param run whether it is run, to tell what each step did
   */
  Explain explain(ReadTransaction tx, QuerySpec query, boolean run);

  /** The records that {@code query} wants, read in as many transactions as it takes. */
  Iterator<R> longRead(QuerySpec query);

  /** Deletes the records that {@code query} wants, in batches. */
  BulkProgress delete(QuerySpec query, BulkOptions options);

  /** Saves what {@code change} makes of the records that {@code query} wants, in batches. */
  BulkProgress update(QuerySpec query, UnaryOperator<R> change, BulkOptions options);

  /**
   * The groups that {@code query} is about as aggregate indexes know them, before {@code having},
   * order and limit; empty if they do not know them exactly.
   */
  Optional<List<@Nullable Object[]>> groups(ReadTransaction tx, GroupSpec query);

  /**
   * The aggregate indexes that {@link #groups} reads for {@code query}; none if it has no answer.
   */
  List<String> groupIndexes(ReadTransaction tx, GroupSpec query);

  /** Those records of {@code primaryKeys} that exist. */
  Map<Tuple, R> load(ReadTransaction tx, Collection<Tuple> primaryKeys);

  /** How many records the planner expects {@code query} to want. */
  double estimatedRows(ReadTransaction tx, QuerySpec query);

  /** Whether an index that can be read leads with {@code column}. */
  boolean hasIndexOn(ReadTransaction tx, ColumnSpec column);
}
