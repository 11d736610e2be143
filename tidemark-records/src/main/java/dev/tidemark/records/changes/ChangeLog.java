package dev.tidemark.records.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Tuple;
import dev.tidemark.kv.Watch;
import dev.tidemark.records.schema.ChangeStreamSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The recorded changes of one stream. They lie in partitions, each with the changes of one range of
 * records in the order of their commits. A split or a merge ends partitions and begins others: the
 * changes of a record are those of its partition, then those of the child that has it.
 *
 * <p>A reader begins with {@link #partitionsAt} a position, reads each partition batch by batch,
 * and goes on with the children of those that end. All methods may be called from any thread, and
 * none holds up those who write.
 *
 * <p>Every method throws {@link StreamGoneException} if the stream or its store was removed, also
 * if another one has taken its place.
 */
public interface ChangeLog {
  /** The stream as it is declared now. */
  ChangeStreamSpec stream();

  // ---- positions

  /** The earliest position from which on nothing is missing. */
  ChangePosition earliest();

  /** Behind all that is committed by now. */
  ChangePosition now();

  /**
   * Before every change that was committed at {@code time} or later, as well as the store knows
   * times. For starting points; what is to be exact goes by positions.
   */
  ChangePosition at(Instant time);

  /** The store's time of {@code position}, as well as it is known. */
  Instant timeOf(ChangePosition position);

  // ---- partitions

  /** All partitions with changes that are kept, the oldest first. */
  List<ChangePartition> partitions();

  /**
   * The partitions that have the next changes behind {@code position}: one for every record.
   *
   * @throws ChangesExpiredException if changes behind {@code position} have been removed
   * @throws ChangeLogException if {@code position} is not of this store, or still to come
   */
  List<ChangePartition> partitionsAt(ChangePosition position);

  /**
   * Ends the partition {@code token} and begins two, the second of which has the records of {@code
   * type} from {@code key} on. One transaction; saves of other records do not notice.
   *
   * @return the two
   * @throws ChangeLogException if the partition is not active, or {@code key} is not within it or
   *     is its begin
   */
  List<ChangePartition> split(String token, String type, Tuple key);

  /**
   * Ends two partitions, the first of which ends where the second begins or the other way round,
   * and begins one in their place. One transaction.
   *
   * @return the one
   * @throws ChangeLogException if they are not active or do not lie side by side
   */
  ChangePartition merge(String token, String other);

  /**
   * Splits the partition with the most changes, if they are too many, at a key in the middle of the
   * recent ones; otherwise merges the two neighbours with the fewest, if they are few enough. One
   * step a call. A partition all of whose changes are of one record is not split.
   *
   * @return the partitions that began; empty if nothing was done
   */
  List<ChangePartition> balance(PartitionBalance when);

  // ---- changes

  /**
   * The next changes of the partition {@code token} behind {@code from}. A position before the
   * partition's start is taken for its start.
   *
   * @param maxChanges how many changes it has at most
   * @param maxBytes it ends with the change that goes beyond so many bytes
   * @throws ChangesExpiredException if changes behind {@code from} have been removed
   * @throws ChangeLogException if {@code token} or {@code from} is not of this stream
   */
  ChangeBatch read(String token, ChangePosition from, int maxChanges, int maxBytes);

  /**
   * The same as {@code tx} sees it, without read conflicts. For reads of several partitions at one
   * version.
   */
  ChangeBatch read(
      ReadTransaction tx, String token, ChangePosition from, int maxChanges, int maxBytes);

  /**
   * A watch that fires with the next change, split or merge that is committed after this call. One
   * serves all partitions. Begin to watch, read, and wait only if there was nothing to read.
   */
  Watch watch();

  /**
   * The key whose value changes with every change, split and merge. Who waits for very many logs of
   * a database reads the keys of all of them together, instead of a watch for each. Only the log
   * writes it.
   */
  Key newsKey();

  /**
   * Commits something that is no change, so that positions that are read move on in a store where
   * nothing else is committed. Does not fire watches.
   */
  void tick();

  // ---- retention

  /**
   * Keeps changes behind {@code position} for the next {@code time}, even beyond the stream's
   * retention. A reader calls it again before that is over, with where it stands by then; one that
   * is silent for longer keeps nothing.
   *
   * @param reader the name of the reader; it has one pin
   */
  void pin(String reader, ChangePosition position, Duration time);

  /** Ends what {@link #pin} began. */
  void unpin(String reader);
}
