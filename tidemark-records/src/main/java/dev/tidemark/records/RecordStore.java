package dev.tidemark.records;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.query.QueryEngine;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.store.Aggregates;
import dev.tidemark.records.internal.store.IndexReader;
import dev.tidemark.records.internal.store.RecordWrites.Existence;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.maintenance.Upkeep;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The records of one type.
 *
 * <p>Every call takes place in a transaction of the caller: what it writes, indexes included, is
 * there when that transaction commits, together with whatever else it wrote. A call that throws a
 * {@link RecordException} has written nothing, and the transaction stays usable; only an expired
 * record that held a unique value may have been deleted.
 *
 * @param <R> the Java class of the records
 */
public final class RecordStore<R> {
  private final RecordSpace space;
  private final RecordType<R> type;
  private final Records<R> records;
  private final IndexReader<R> indexes;
  private final Aggregates aggregates;
  private final QueryEngine<R> queries;

  RecordStore(RecordSpace space, RecordType<R> type, Records<R> records) {
    this.space = space;
    this.type = type;
    this.records = records;
    this.indexes = new IndexReader<>(space.internals(), type);
    this.aggregates = new Aggregates(space.internals(), type);
    this.queries = new PlanningEngine<>(space.internals(), type);
  }

  /** A query for all records, which its methods narrow. */
  public Query<R> query() {
    return Bridge.query(queries, QuerySpec.ALL);
  }

  /** The space that the records are in. */
  public RecordSpace space() {
    return space;
  }

  /** The type. */
  public RecordType<R> type() {
    return type;
  }

  /**
   * Saves {@code record}; replaces the one with the same primary key if there is one. Returns what
   * was saved: {@code record} with defaults filled in.
   *
   * @throws UniquenessException if another record has the same values in a unique index
   * @throws RecordTooLargeException if the record or one of its index entries is too large
   */
  public R save(Transaction tx, R record) {
    return records.writes().save(tx, record, Existence.ANY);
  }

  /**
   * Saves {@code record}, which must be new.
   *
   * @throws RecordExistsException if there is one with its primary key
   */
  public R insert(Transaction tx, R record) {
    return records.writes().save(tx, record, Existence.ABSENT);
  }

  /**
   * Saves {@code record} in place of the one with its primary key.
   *
   * @throws RecordMissingException if there is none
   */
  public R update(Transaction tx, R record) {
    return records.writes().save(tx, record, Existence.PRESENT);
  }

  /** The record with this primary key: one value for each of its fields. */
  public Optional<R> load(ReadTransaction tx, Object... primaryKey) {
    Optional<R> found = records.load(tx, records.primaryKey(primaryKey));
    if (found.isPresent()) {
      space.internals().activity().load(1);
    }
    return found;
  }

  /** Those records of {@code primaryKeys} that exist, in that order, read together. */
  public Map<Tuple, R> loadAll(ReadTransaction tx, Collection<Tuple> primaryKeys) {
    Map<Tuple, R> found = records.loadAll(tx, primaryKeys);
    space.internals().activity().load(found.size());
    return found;
  }

  /** Whether there is a record with this primary key. */
  public boolean exists(ReadTransaction tx, Object... primaryKey) {
    return load(tx, primaryKey).isPresent();
  }

  /**
   * Deletes the record with this primary key, and returns whether there was one.
   *
   * @throws RelationshipException if another record refers to it and forbids that
   */
  public boolean delete(Transaction tx, Object... primaryKey) {
    return records.writes().delete(tx, records.primaryKey(primaryKey));
  }

  /**
   * Deletes up to {@code max} records that have expired, and returns how many. Reads never see
   * expired records; this frees their space and their index entries. A record whose delete is
   * forbidden by another record stays until that one is gone, and so does a damaged one. Every call
   * tries these again; {@link Upkeep} does not and reports the damaged ones, so use it where there
   * are thousands of them.
   */
  public int sweep(Transaction tx, int max) {
    return records.expired().sweep(tx, Optional.empty(), max, Integer.MAX_VALUE).deleted();
  }

  /** The primary key of {@code record}. */
  public Tuple primaryKey(R record) {
    return records.primaryKey(record);
  }

  /**
   * The commit that saved the record last. Empty for a record that does not exist, or that was
   * saved before its type kept versions.
   */
  public Optional<Versionstamp> version(ReadTransaction tx, Object... primaryKey) {
    return records.version(tx, records.primaryKey(primaryKey));
  }

  /** All records in the order of their primary keys, read as they are taken. */
  public Stream<R> scan(ReadTransaction tx) {
    return scan(tx, Tuple.EMPTY);
  }

  /** The records whose primary keys begin with {@code prefix}, in order, read as they are taken. */
  public Stream<R> scan(ReadTransaction tx, Tuple prefix) {
    return stream(records.scan(tx, records.keyRange(tx, prefix), false));
  }

  /**
   * The number of records. It comes from an index of kind {@link IndexKind#COUNT} without columns
   * if there is one, which includes expired records that are not swept yet; otherwise from a scan.
   */
  public long count(ReadTransaction tx) {
    return aggregates.recordCount(tx).map(Long.class::cast).orElseGet(() -> scan(tx).count());
  }

  /**
   * The number of records, or of updates, that a counting index has for {@code group}; 0 for a
   * group without any.
   *
   * @param group one value for each column of the index that forms groups
   * @throws IndexStateException if the index cannot be read now
   */
  public long count(ReadTransaction tx, String index, @Nullable Object... group) {
    return (Long)
        aggregates
            .one(
                tx,
                index,
                group,
                IndexKind.COUNT,
                IndexKind.COUNT_NOT_NULL,
                IndexKind.COUNT_UPDATES)
            .orElseThrow();
  }

  /**
   * The sum of the last column of the index in {@code group}; 0 for a group without values.
   *
   * @throws ArithmeticException if the sum is beyond the range of a long
   */
  public long sum(ReadTransaction tx, String index, @Nullable Object... group) {
    return (Long) aggregates.one(tx, index, group, IndexKind.SUM).orElseThrow();
  }

  /**
   * The smallest value of the last column in {@code group}, as the record has it; an enum as the
   * name of its constant.
   */
  public Optional<Object> min(ReadTransaction tx, String index, @Nullable Object... group) {
    return aggregates.one(tx, index, group, IndexKind.MIN, IndexKind.MIN_EVER);
  }

  /**
   * The largest value of the last column in {@code group}, as the record has it; an enum as the
   * name of its constant.
   */
  public Optional<Object> max(ReadTransaction tx, String index, @Nullable Object... group) {
    return aggregates.one(tx, index, group, IndexKind.MAX, IndexKind.MAX_EVER);
  }

  /** The average of the last column in {@code group}; empty for a group without values. */
  public OptionalDouble average(ReadTransaction tx, String index, @Nullable Object... group) {
    return aggregates
        .one(tx, index, group, IndexKind.AVERAGE)
        .map(value -> OptionalDouble.of((Double) value))
        .orElseGet(OptionalDouble::empty);
  }

  /**
   * The total that an aggregate index of any kind has for {@code group}: a {@link Long} for counts
   * and sums, a {@link Double} for averages, a value of the column for extremes.
   */
  public Optional<Object> aggregate(ReadTransaction tx, String index, @Nullable Object... group) {
    return aggregates.one(tx, index, group);
  }

  /**
   * The total that an aggregate index of any kind has for all groups that begin with {@code prefix}
   * together. Reads each of them.
   */
  public Optional<Object> rollUp(ReadTransaction tx, String index, @Nullable Object... prefix) {
    return aggregates.rolledUp(tx, index, prefix);
  }

  /** The groups that begin with {@code prefix}, in order, read as they are taken. */
  public Stream<Group> groups(ReadTransaction tx, String index, @Nullable Object... prefix) {
    return aggregates.groups(tx, index, prefix);
  }

  /**
   * How many records of its group come before the one with this primary key by an index of kind
   * {@link IndexKind#RANK}; those with the same value are in the order of their primary keys. Empty
   * for a record that does not exist or has no value. Where records with the same value share a
   * rank, that is {@link #countBelow}.
   */
  public OptionalLong rank(ReadTransaction tx, String index, Object... primaryKey) {
    return indexes.rank(tx, index, records.primaryKey(primaryKey));
  }

  /**
   * How many records of a group have a value before the given one, in the order of an index of kind
   * {@link IndexKind#RANK}.
   *
   * @param columns one value for each column of the index: the group, then the value
   */
  public long countBelow(ReadTransaction tx, String index, @Nullable Object... columns) {
    return indexes.countBelow(tx, index, columns);
  }

  /**
   * The record of {@code group} before which there are {@code rank} others; the first has 0. One
   * that has expired keeps its rank until it is swept, and is empty here.
   */
  public Optional<R> atRank(
      ReadTransaction tx, String index, long rank, @Nullable Object... group) {
    return indexes.atRank(tx, index, rank, group);
  }

  /**
   * The records of {@code group} whose text matches {@code query}, by an index of kind {@link
   * IndexKind#TEXT}, in the order of their primary keys: {@code search(tx, "note_text_text",
   * TextQuery.phrase("group commit"))}. Records with all words, or with a phrase, are read as they
   * are taken; for any of several words, and for the beginning of one, up to 100,000 primary keys
   * are kept in memory.
   *
   * @param group one value for each column of the index before the text
   */
  public Stream<R> search(
      ReadTransaction tx, String index, TextQuery query, @Nullable Object... group) {
    return stream(indexes.search(tx, index, query, group));
  }

  /**
   * The entries of an index in {@code range}, in the order of the index, read as they are taken.
   * Expired records have entries until they are swept. Entries of a {@link IndexKind#VERSION} index
   * that the transaction itself has made cannot be read before it has been committed; a scan that
   * meets them throws {@link dev.tidemark.kv.UnreadableKeyException}.
   */
  public Stream<IndexEntry> scanIndex(ReadTransaction tx, String index, IndexRange range) {
    return stream(indexes.entries(tx, index, range));
  }

  /**
   * The records of the entries in {@code range}, in the order of the index, loaded some at a time.
   * A record with several entries in the range comes several times.
   */
  public Stream<R> scanBy(ReadTransaction tx, String index, IndexRange range) {
    return stream(indexes.records(tx, index, range));
  }

  /**
   * Deletes all records whose primary keys begin with {@code prefix}. Indexes of the past, such as
   * {@link IndexKind#MAX_EVER} and {@link IndexKind#COUNT_UPDATES}, keep their totals.
   *
   * <p>If every index begins with the same fields, this is a clear of ranges that reads nothing,
   * however many records there are. Otherwise the records are deleted one by one.
   *
   * @throws IllegalArgumentException if {@code prefix} has no values: {@link #deleteAll} deletes
   *     all
   * @throws TooManyRecordsException if they have to be deleted one by one and are too many
   * @throws RelationshipException if another record refers to one of them and forbids that
   */
  public void deleteWhere(Transaction tx, Object... prefix) {
    if (prefix.length == 0) {
      throw new IllegalArgumentException(
          "deleteWhere was given no values, and would delete every %s; deleteAll(tx) does that"
              .formatted(type().name()));
    }
    records.writes().deleteStartingWith(tx, records.primaryKeyPrefix(prefix));
  }

  /** Deletes all records of this type; otherwise like {@link #deleteWhere}. */
  public void deleteAll(Transaction tx) {
    records.writes().deleteStartingWith(tx, Tuple.EMPTY);
  }

  /**
   * Deletes all records whose primary keys are in the half-open interval from {@code from} to
   * {@code to}, which are primary keys or their first values; otherwise like {@link #deleteWhere}.
   */
  public void deleteBetween(Transaction tx, Tuple from, Tuple to) {
    records.writes().deleteBetween(tx, from, to);
  }

  private static <T> Stream<T> stream(Iterator<T> rows) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(rows, Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }
}
