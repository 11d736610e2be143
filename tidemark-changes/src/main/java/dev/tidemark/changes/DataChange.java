package dev.tidemark.changes;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Changes of one table by one transaction, of one kind and with one set of columns: the data change
 * record of Cloud Spanner, with all its fields.
 *
 * <p>Texts that a newer source sends and this version does not know are passed on as they are.
 *
 * @param position where the record stands in the stream
 * @param commitTimestamp when the transaction was committed
 * @param recordSequence orders the records of one transaction in one partition
 * @param serverTransactionId names the transaction
 * @param lastInTransactionInPartition whether no further record of the transaction follows in this
 *     partition
 * @param table the table or record type that changed
 * @param columnTypes the columns that the record speaks of, keys among them
 * @param mods the changed rows
 * @param modType what happened to them
 * @param captureType which values the stream captures
 * @param recordsInTransaction how many records the transaction has, over all partitions
 * @param partitionsInTransaction how many partitions have records of the transaction
 * @param transactionTag the tag that the program gave its transaction; empty for none
 * @param systemTransaction whether the store itself made the change, such as an expiry
 */
public record DataChange(
    Position position,
    Instant commitTimestamp,
    String recordSequence,
    String serverTransactionId,
    boolean lastInTransactionInPartition,
    String table,
    List<ColumnType> columnTypes,
    List<Mod> mods,
    ModType modType,
    CaptureType captureType,
    long recordsInTransaction,
    long partitionsInTransaction,
    String transactionTag,
    boolean systemTransaction)
    implements ChangeRecord {

  /** Copies the lists. */
  public DataChange {
    columnTypes = columnTypes instanceof DecodedLater ? columnTypes : List.copyOf(columnTypes);
    mods = List.copyOf(mods);
  }

  /**
   * {@code size} columns for {@link #columnTypes} that {@code decoder} makes when they are first
   * looked at. It may run twice.
   */
  public static List<ColumnType> columnsDecodedBy(int size, Supplier<List<ColumnType>> decoder) {
    return new DecodedLater(size, decoder);
  }

  @Override
  public Instant timestamp() {
    return commitTimestamp;
  }

  /**
   * Names the record within its stream, whatever partition returns it: the transaction, the
   * sequence and the table.
   */
  public String id() {
    return serverTransactionId + '/' + recordSequence + '/' + table;
  }

  /**
   * What happened to a row.
   *
   * @param text the source's word for it
   */
  public record ModType(String text) {
    /** The row was not there before. */
    public static final ModType INSERT = new ModType("INSERT");

    /** The row was there before. */
    public static final ModType UPDATE = new ModType("UPDATE");

    /** The row is gone. */
    public static final ModType DELETE = new ModType("DELETE");

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Which values a stream captures.
   *
   * @param text the source's word for it
   */
  public record CaptureType(String text) {
    /** The changed columns, before and after. */
    public static final CaptureType OLD_AND_NEW_VALUES = new CaptureType("OLD_AND_NEW_VALUES");

    /** The changed columns, after. */
    public static final CaptureType NEW_VALUES = new CaptureType("NEW_VALUES");

    /** The whole row, after. */
    public static final CaptureType NEW_ROW = new CaptureType("NEW_ROW");

    /** The whole row after, and the changed columns before. */
    public static final CaptureType NEW_ROW_AND_OLD_VALUES =
        new CaptureType("NEW_ROW_AND_OLD_VALUES");

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * A column.
   *
   * @param name its name
   * @param type its type in the source's notation, such as {@code {"code":"INT64"}}
   * @param primaryKey whether it belongs to the primary key
   * @param ordinal its place in the table, from 1
   */
  public record ColumnType(String name, String type, boolean primaryKey, long ordinal) {}
}
