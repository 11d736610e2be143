package dev.tidemark.records.internal.query;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
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
   * The records that match {@code query}, whole whatever {@code query.wanted()} is.
   *
   * @param from where an earlier cursor of the same query stopped; null for the beginning
   */
  Cursor<R> records(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from);

  /**
   * The selected columns of the records that match {@code query}: each row has the elements of
   * {@code query.wanted()} in that order. The caller may keep a row.
   *
   * @param from where an earlier cursor of the same query stopped; null for the beginning
   */
  Cursor<@Nullable Object[]> columns(
      ReadTransaction tx, QuerySpec query, QueryLimits limits, @Nullable Continuation from);

  /** The number of records that match {@code query}. */
  long count(ReadTransaction tx, QuerySpec query);

  /**
   * The plan of {@code query}, and why it was chosen.
   *
   * @param run whether to run it, to show what each step did
   */
  Explain explain(ReadTransaction tx, QuerySpec query, boolean run);

  /** The records that match {@code query}, read in as many transactions as needed. */
  Iterator<R> longRead(QuerySpec query);

  /** Deletes the records that match {@code query}, in batches. */
  BulkProgress delete(QuerySpec query, BulkOptions options);

  /**
   * Applies {@code change} to the records that match {@code query} and saves the results, in
   * batches.
   */
  BulkProgress update(QuerySpec query, UnaryOperator<R> change, BulkOptions options);

  /**
   * The groups of {@code query} from aggregate indexes, before {@code having}, order and limit;
   * empty if the indexes do not have exactly these totals.
   */
  Optional<List<@Nullable Object[]>> groups(ReadTransaction tx, GroupSpec query);

  /**
   * The aggregate indexes that {@link #groups} reads for {@code query}; none if it has no answer.
   */
  List<String> groupIndexes(ReadTransaction tx, GroupSpec query);

  /** The existing records of {@code primaryKeys}. */
  Map<Tuple, R> load(ReadTransaction tx, Collection<Tuple> primaryKeys);

  /** The number of records that the planner estimates for {@code query}. */
  double estimatedRows(ReadTransaction tx, QuerySpec query);

  /** Whether a readable index leads with {@code column}. */
  boolean hasIndexOn(ReadTransaction tx, ColumnSpec column);
}
