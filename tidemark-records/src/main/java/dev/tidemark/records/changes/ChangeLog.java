package dev.tidemark.records.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The log of one change stream. It consists of partitions, each with the changes of one range of
 * records in commit order. A split or a merge ends partitions and begins others: the changes of a
 * record continue in the child that has its range.
 *
 * <p>A reader begins with {@link #partitionsAt} a position, reads each partition batch by batch,
 * and continues with the children of those that end. All methods may be called from any thread, and
 * none blocks writers.
 *
 * <p>Every method throws {@link StreamGoneException} if the stream or its store was removed, even
 * if another one has replaced it.
 */
public interface ChangeLog {
  /** The stream as it is declared now. */
  ChangeStreamSpec stream();

  // ---- positions

  /** The earliest position from which no change is missing. */
  ChangePosition earliest();

  /** The position behind everything that is committed now. */
  ChangePosition now();

  /**
   * A position before every change that was committed at {@code time} or later, as exact as the
   * store knows times. For starting points; use positions where exactness matters.
   */
  ChangePosition at(Instant time);

  /** The store's time of {@code position}, as exact as it is known. */
  Instant timeOf(ChangePosition position);

  // ---- partitions

  /** All partitions that are kept, the oldest first. */
  List<ChangePartition> partitions();

  /**
   * The partitions with the next changes behind {@code position}; together they cover every record
   * once.
   *
   * @throws ChangesExpiredException if changes behind {@code position} have been removed
   * @throws ChangeLogException if {@code position} is not of this store, or in the future
   */
  List<ChangePartition> partitionsAt(ChangePosition position);

  /**
   * Splits the partition {@code token} into two, the second of which has the records of {@code
   * type} from {@code key} on. One transaction, which does not affect saves of other records.
   *
   * @return the two
   * @throws ChangeLogException if the partition is not active, or {@code key} is not inside it
   */
  List<ChangePartition> split(String token, String type, Tuple key);

  /**
   * Merges two adjacent partitions into one. One transaction.
   *
   * @return the one
   * @throws ChangeLogException if they are not active or not adjacent
   */
  ChangePartition merge(String token, String other);

  /**
   * Splits the partition with the most changes, if they are too many, at the median key of the
   * recent ones; otherwise merges the two adjacent partitions with the fewest, if they are few
   * enough. One step a call. A partition whose recent changes are all of one record is not split.
   *
   * @return the partitions that began; empty if nothing was done
   */
  List<ChangePartition> balance(PartitionBalance when);

  // ---- changes

  /**
   * The next changes of the partition {@code token} behind {@code from}, or behind its start if
   * that is later.
   *
   * @param maxChanges the largest number of changes
   * @param maxBytes the batch ends with the change that reaches this number of bytes
   * @throws ChangesExpiredException if changes behind {@code from} have been removed
   * @throws ChangeLogException if {@code token} or {@code from} is not of this stream
   */
  ChangeBatch read(String token, ChangePosition from, int maxChanges, int maxBytes);

  /**
   * The same batch as {@code tx} sees it, without read conflicts. For reads of several partitions
   * at one version.
   */
  ChangeBatch read(
      ReadTransaction tx, String token, ChangePosition from, int maxChanges, int maxBytes);

  /**
   * A watch that fires with the next change, split or merge that is committed after this call, in
   * any partition. Create the watch, read, and wait only if there was nothing to read.
   */
  Watch watch();

  /**
   * The key whose value changes with every change, split and merge. Who waits for very many logs of
   * a database reads the keys of all of them together, instead of a watch for each. Only the log
   * writes it.
   */
  Key newsKey();

  /**
   * Commits a transaction without changes, so that positions advance in an idle store. Does not
   * fire watches.
   */
  void tick();

  // ---- retention

  /**
   * Keeps the changes behind {@code position} for {@code time}, even beyond the stream's retention.
   * A reader renews its pin before that, with its current position; a pin that is not renewed
   * expires.
   *
   * @param reader the name of the reader; it has one pin
   */
  void pin(String reader, ChangePosition position, Duration time);

  /** Removes the pin of {@code reader}. */
  void unpin(String reader);
}
