package dev.tidemark.records.changes;

import dev.tidemark.kv.Tuple;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One change of one record. All changes that a transaction made to a record are one: from what was
 * there before the transaction to what it left. Values are decoded when they are asked for.
 *
 * <p>Values are of the Java types of their fields; an enum is the name of its constant, a nested
 * record a map from names to values, a set a list.
 */
public interface DataChange {
  /** Where it is; a read from here goes on behind it. */
  ChangePosition position();

  /** The id of the transaction: the same for all changes of one commit and for no other. */
  String transactionId();

  /** The name of the record's type. */
  String type();

  /** What happened. */
  ModType modType();

  /** Which values are kept. */
  CaptureType captureType();

  /** The primary key, as the store has it in keys. */
  Tuple primaryKey();

  /** The fields of the primary key and their values. */
  Map<String, Object> keys();

  /** The new values that are kept, those of the primary key aside; null where there is none. */
  Map<String, @Nullable Object> newValues();

  /** The old values that are kept, those of the primary key aside; null where there was none. */
  Map<String, @Nullable Object> oldValues();

  /** The columns of the primary key and of all that is in the new and old values. */
  List<ChangeColumn> columns();

  /**
   * The record after the change, if there is one and the log has all of it: for an insert or an
   * update with a capture type of whole rows, in a stream that watches all fields of the type.
   *
   * @param as the type, with the Java class of the program
   * @throws IllegalArgumentException if the record is of another type
   */
  <R> Optional<R> newRecord(RecordType<R> as);

  /**
   * The record before the change, if there was one and the log has all of it: for a delete, or an
   * update with {@link CaptureType#NEW_ROW_AND_OLD_VALUES}, in a stream that watches all fields.
   *
   * @param as the type, with the Java class of the program
   * @throws IllegalArgumentException if the record is of another type
   */
  <R> Optional<R> oldRecord(RecordType<R> as);

  /** Whether it is the last change of its transaction in its partition. */
  boolean isLastInTransactionInPartition();

  /** How many changes the transaction has in this stream. */
  int recordsInTransaction();

  /** In how many partitions of this stream they are. */
  int partitionsInTransaction();

  /** What {@link ChangeStreams#tag} said of the transaction; empty for nothing. */
  String transactionTag();

  /** Whether the store made the change by itself: a record expired. */
  boolean isSystemTransaction();

  /** How many bytes it takes in the log, about. */
  int bytes();
}
