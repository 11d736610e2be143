package dev.tidemark.records.changes;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One change of one record. All changes of a record by a transaction are folded into one: from the
 * record before the transaction to the record after it. Values are decoded on access.
 *
 * <p>Values are of the Java types of their fields; an enum is the name of its constant, a nested
 * record a map from names to values, a set a list.
 */
public interface DataChange {
  /** Its position; a read from here continues behind it. */
  ChangePosition position();

  /** The id of the transaction: the same for all changes of one commit and for no other. */
  String transactionId();

  /** The name of the record's type. */
  String type();

  /** What happened. */
  ModType modType();

  /** Which values it has. */
  CaptureType captureType();

  /** The primary key as a tuple. */
  Tuple primaryKey();

  /** The fields of the primary key and their values. */
  Map<String, Object> keys();

  /** The new values that were captured, without the primary key; null for no value. */
  Map<String, @Nullable Object> newValues();

  /** The old values that were captured, without the primary key; null for no value. */
  Map<String, @Nullable Object> oldValues();

  /** The columns of the primary key, the new values and the old values. */
  List<ChangeColumn> columns();

  /**
   * The record after the change, if there is one and the log has all its fields: for an insert, or
   * an update with a capture type of whole rows, in a stream that watches all fields of the type.
   *
   * @param as the type, with the Java class of the program
   * @throws IllegalArgumentException if the record is of another type
   */
  <R> Optional<R> newRecord(RecordType<R> as);

  /**
   * The record before the change, if there was one and the log has all its fields: for a delete, or
   * an update with {@link CaptureType#NEW_ROW_AND_OLD_VALUES}, in a stream that watches all fields.
   *
   * @param as the type, with the Java class of the program
   * @throws IllegalArgumentException if the record is of another type
   */
  <R> Optional<R> oldRecord(RecordType<R> as);

  /** Whether it is the last change of its transaction in its partition. */
  boolean isLastInTransactionInPartition();

  /** The number of changes of the transaction in this stream. */
  int recordsInTransaction();

  /** The number of partitions of this stream that they are in. */
  int partitionsInTransaction();

  /** The tag that {@link ChangeStreams#tag} gave to the transaction; empty without one. */
  String transactionTag();

  /** Whether the store made the change, because the record had expired. */
  boolean isSystemTransaction();

  /** About how many bytes it occupies in the log. */
  int bytes();
}
