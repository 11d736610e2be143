package dev.tidemark.records;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.internal.Records;
import dev.tidemark.records.internal.Records.Existence;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The records of one type.
 *
 * <p>Every call takes place in a transaction of the caller: what it writes, indexes included, is
 * there when that transaction commits, together with whatever else it wrote. A call that throws a
 * {@link RecordException} has written nothing, and the transaction can go on.
 *
 * @param <R> the Java class of the records
 */
public final class RecordStore<R> {
  private final RecordSpace space;
  private final RecordType<R> type;
  private final Records<R> records;

  RecordStore(RecordSpace space, RecordType<R> type, Records<R> records) {
    this.space = space;
    this.type = type;
    this.records = records;
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
   * Saves {@code record}, in place of one with the same primary key if there is one. Answers what
   * was saved: {@code record} with defaults filled in.
   *
   * @throws UniquenessException if another record has the same values in a unique index
   * @throws RecordTooLargeException if it, or one of its entries, is too large
   */
  public R save(Transaction tx, R record) {
    return records.save(tx, record, Existence.ANY);
  }

  /**
   * Saves {@code record}, which must be new.
   *
   * @throws RecordExistsException if there is one with its primary key
   */
  public R insert(Transaction tx, R record) {
    return records.save(tx, record, Existence.ABSENT);
  }

  /**
   * Saves {@code record} in place of the one with its primary key.
   *
   * @throws RecordMissingException if there is none
   */
  public R update(Transaction tx, R record) {
    return records.save(tx, record, Existence.PRESENT);
  }

  /** The record with this primary key: one value for each of its fields. */
  public Optional<R> load(ReadTransaction tx, Object... primaryKey) {
    return records.load(tx, records.primaryKey(primaryKey));
  }

  /** Those records of {@code primaryKeys} that exist, in that order, read together. */
  public Map<Tuple, R> loadAll(ReadTransaction tx, Collection<Tuple> primaryKeys) {
    return records.loadAll(tx, primaryKeys);
  }

  /** Whether there is a record with this primary key. */
  public boolean exists(ReadTransaction tx, Object... primaryKey) {
    return load(tx, primaryKey).isPresent();
  }

  /**
   * Deletes the record with this primary key, and answers whether there was one.
   *
   * @throws RelationshipException if another record refers to it and forbids that
   */
  public boolean delete(Transaction tx, Object... primaryKey) {
    return records.delete(tx, records.primaryKey(primaryKey));
  }

  /**
   * Deletes up to {@code max} records that have expired, and answers how many it were. Reads do not
   * see expired records anyway; this frees their space and their entries in indexes.
   */
  public int sweep(Transaction tx, int max) {
    return records.sweep(tx, max);
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
    Iterator<R> rows = records.scan(tx, records.keyRange(tx, prefix), false);
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(rows, Spliterator.ORDERED | Spliterator.NONNULL),
        false);
  }
}
