package dev.tidemark.pulse.internal;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Tuple;
import dev.tidemark.pulse.PoolFullException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The count of jobs that have never been started, exact and without one row that every dispatch
 * writes: each of sixteen shards has its part of the limit, and a job whose own shard is full takes
 * a place in another. Only when all are full is the pool.
 *
 * <p>A shard also numbers the jobs of its keys, for epochs that grow from one life of a key to the
 * next.
 */
final class QueueTokens {
  static final int SHARDS = 16;

  /** How many assignments of one job fit before the epochs of the next one with its key. */
  private static final int EPOCH_BITS = 24;

  private record Shard(int queued, long jobs) {
    static Shard decode(Optional<byte[]> row) {
      return row.map(Tuple::unpack)
          .map(stored -> new Shard(stored.getInt(0), stored.getLong(1)))
          .orElse(new Shard(0, 0));
    }

    byte[] encode() {
      return Tuple.of(queued, jobs).pack();
    }
  }

  private QueueTokens() {}

  static Tuple key(int shard) {
    return PoolKeys.TOKENS.append(shard);
  }

  /** The shard that counts {@code key} if it can, and always numbers it. */
  static int home(String key) {
    return (int) (JumpHash.hash(key) >>> 60);
  }

  private static int limit(int shard, int queuedMax) {
    return queuedMax / SHARDS + (shard < queuedMax % SHARDS ? 1 : 0);
  }

  /** The epoch before the first one of a new job {@code key}. */
  static long nextEpoch(Rows rows, String key) {
    int home = home(key);
    Shard shard = Shard.decode(rows.get(key(home)));
    rows.set(key(home), new Shard(shard.queued, shard.jobs + 1).encode());
    return (shard.jobs + 1) << EPOCH_BITS;
  }

  /**
   * Counts the job {@code key} as queued.
   *
   * @return the shard that does
   * @throws PoolFullException if {@code queuedMax} are
   */
  static int take(Rows rows, String key, int queuedMax) {
    int home = home(key);
    if (takeFrom(rows, home, queuedMax)) {
      return home;
    }
    List<Integer> others =
        IntStream.range(1, SHARDS).mapToObj(step -> (home + step) % SHARDS).toList();
    rows.getAll(others.stream().map(QueueTokens::key).toList());
    for (int shard : others) {
      if (takeFrom(rows, shard, queuedMax)) {
        return shard;
      }
    }
    throw new PoolFullException(
        ("%,d jobs wait to be started, or for their time, which is the limit (PoolOptions.queuedMax); the job %s was "
                + "not taken. Add workers, or try again later")
            .formatted(queuedMax, key));
  }

  private static boolean takeFrom(Rows rows, int number, int queuedMax) {
    Shard shard = Shard.decode(rows.get(key(number)));
    if (shard.queued >= limit(number, queuedMax)) {
      return false;
    }
    rows.set(key(number), new Shard(shard.queued + 1, shard.jobs).encode());
    return true;
  }

  /** Counts a job no longer as queued; nothing if {@code shard} is none. */
  static void release(Rows rows, int number) {
    if (number != JobRow.NO_TOKEN) {
      Shard shard = Shard.decode(rows.get(key(number)));
      rows.set(key(number), new Shard(shard.queued - 1, shard.jobs).encode());
    }
  }

  /** How many jobs are counted as queued. */
  static int queued(Rows rows) {
    return IntStream.range(0, SHARDS).map(shard -> Shard.decode(rows.get(key(shard))).queued).sum();
  }

  /** Counts none as queued; the numbers of jobs go on. */
  static void reset(Rows rows) {
    for (int number = 0; number < SHARDS; number++) {
      long jobs = Shard.decode(rows.get(key(number))).jobs;
      rows.set(key(number), new Shard(0, jobs).encode());
    }
  }
}
