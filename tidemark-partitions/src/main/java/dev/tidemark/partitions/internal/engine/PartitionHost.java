package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the manager asks of a partition server, in the same process or over the network. Every call
 * may be repeated. A call fails with a {@link dev.tidemark.partitions.PartitionException}, whose
 * reason is MOVED where the server does not own the partition in that epoch.
 */
public interface PartitionHost {
  /**
   * Loads the partition, which another server owns, so that {@link #refresh} has only the end of
   * its log left to read after the flip. Called again, it catches up. What is loaded is dropped
   * after some minutes if the partition does not become this server's.
   *
   * @return the last log entry that was loaded
   */
  long prepare(String partition);

  /**
   * Makes everything durable that the partition has accepted, holds further requests back for
   * {@code hold}, and makes its phase QUIESCED. When the time is over and the partition has not
   * moved, the server makes the phase SERVING and goes on with them; {@link #resume} and {@link
   * #refresh} end the hold before.
   *
   * <p>A flip that takes the partition away from a living server checks in its transaction that the
   * phase is QUIESCED ({@code Staging.checkQuiesced}); then no request can be answered from the old
   * state after it. A flip without that waits for the end of the server's lease.
   *
   * @return the last entry of the partition's log
   */
  long quiesce(String partition, long epoch, Duration hold);

  /** Ends a hold: the operation was given up. Nothing happens where there is none. */
  void resume(String partition);

  /**
   * Quiesces the partition and stages both halves under the operation: rows that {@code Staging}
   * puts into effect in the transaction of the flip.
   *
   * @param upper the id of the new partition
   * @param at where to split; otherwise the actor's hint, then the middle of its keys
   * @return where the halves meet, a key inside the range
   */
  Key stageSplit(
      String partition,
      long epoch,
      String upper,
      String operation,
      Optional<Key> at,
      Duration hold);

  /** Quiesces both partitions, which this server owns, and stages the merged one. */
  void stageMerge(
      String lower,
      long lowerEpoch,
      String upper,
      long upperEpoch,
      String operation,
      Duration hold);

  /**
   * Reads the ownership rows again after a flip. What is this server's is loaded and served, and
   * its phase becomes SERVING where it is RECOVERING; what is not is dropped. Requests held back
   * are answered by the new ownership. Returns when that is done.
   */
  void refresh(List<String> partitions);
}
