package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of sixteen shards, each with two counts: the jobs that are queued with it, and the jobs
 * it has numbered. {@link QueueTokens} keeps the limit by the first, {@link KeyEpochs} orders the
 * jobs of a key by the second.
 *
 * <p>Where the store adds without reading, changes are added to rows of their own, so that those
 * who dispatch and those who start jobs do not conflict. Elsewhere both counts are in one row.
 */
final class TokenShards {
  static final int SHARDS = 16;

  private static final int ADDED_QUEUED = 0;
  private static final int ADDED_JOBS = 1;

  private TokenShards() {}

  /** The row of a shard that is read and written. */
  private record Written(int queued, long jobs) {
    static Written decode(byte @Nullable [] row) {
      if (row == null) {
        return new Written(0, 0);
      }
      Tuple stored = Tuple.unpack(row);
      return new Written(stored.getInt(0), stored.getLong(1));
    }

    byte[] encode() {
      return Tuple.of(queued, jobs).pack();
    }
  }

  /**
   * The counts of a shard: what is written and what was added to it.
   *
   * @param queued the number of jobs that are queued with it
   * @param jobs the number of jobs that it has numbered
   */
  record Counts(long queued, long jobs) {}

  private static Tuple key(int shard) {
    return PoolKeys.TOKENS.append(shard);
  }

  private static Tuple added(int shard, int what) {
    return PoolKeys.ADDED_TOKENS.append(shard).append(what);
  }

  /** The shard that counts the job {@code key} if it has room, and always numbers it. */
  static int home(String key) {
    return (int) (JumpHash.hash(key) >>> 60);
  }

  /** The rows of a shard. */
  static List<Tuple> keys(Rows rows, int shard) {
    return rows.addsWithoutReading()
        ? List.of(key(shard), added(shard, ADDED_QUEUED), added(shard, ADDED_JOBS))
        : List.of(key(shard));
  }

  /** The counts of a shard, without a conflict with whoever changes them. */
  static Counts peek(Rows rows, int shard) {
    return counts(shard, rows.peekAll(keys(rows, shard)));
  }

  /** The counts of a shard; the transaction conflicts with whoever changes them. */
  static Counts read(Rows rows, int shard) {
    return counts(shard, rows.getAll(keys(rows, shard)));
  }

  private static Counts counts(int shard, Map<Tuple, byte[]> found) {
    Written written = Written.decode(found.get(key(shard)));
    return new Counts(
        written.queued + Rows.counter(found.get(added(shard, ADDED_QUEUED))),
        written.jobs + Rows.counter(found.get(added(shard, ADDED_JOBS))));
  }

  /** Adds {@code delta} to the jobs that are queued with a shard. */
  static void addQueued(Rows rows, int shard, int delta) {
    if (rows.addsWithoutReading()) {
      rows.add(added(shard, ADDED_QUEUED), delta);
    } else {
      Written known = Written.decode(rows.get(key(shard)).orElse(null));
      rows.set(key(shard), new Written(known.queued + delta, known.jobs).encode());
    }
  }

  /** Numbers one more job in a shard. */
  static void addJob(Rows rows, int shard) {
    if (rows.addsWithoutReading()) {
      rows.add(added(shard, ADDED_JOBS), 1);
    } else {
      Written known = Written.decode(rows.peekAll(List.of(key(shard))).get(key(shard)));
      rows.set(key(shard), new Written(known.queued, known.jobs + 1).encode());
    }
  }

  /** Sets the queued jobs of a shard to none; its numbers go on. */
  static void resetQueued(Rows rows, int shard) {
    long jobs = read(rows, shard).jobs();
    rows.set(key(shard), new Written(0, jobs).encode());
    rows.clear(added(shard, ADDED_QUEUED));
    rows.clear(added(shard, ADDED_JOBS));
  }
}
