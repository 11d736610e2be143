package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Tuple;
import dev.tidemark.pulse.PoolFullException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The count of jobs that have never been started, without one row that every dispatch writes: each
 * of sixteen shards has its part of the limit, and a job whose own shard is full takes a place in
 * another. Only when all are full is the pool.
 *
 * <p>A shard also numbers the jobs of its keys, for epochs that grow from one life of a key to the
 * next.
 *
 * <p>Where the store adds without reading, those who dispatch and those who start jobs do not meet:
 * changes are added to rows of their own. The limit is still kept: a shard with little room is read
 * with conflicts, so that of two who see the last place one tries again. Only a transaction of the
 * caller, which may be long, never does: of those that commit at the same time each sees the room
 * that there was before.
 */
public final class QueueTokens {
  static final int SHARDS = 16;

  /** How many assignments of one job fit before the epochs of the next one with its key. */
  private static final int EPOCH_BITS = 24;

  /** With room for so many, all who dispatch to a shard at the same moment find a place. */
  private static final int ROOM_FOR_ALL = 32;

  private static final int ADDED_QUEUED = 0;
  private static final int ADDED_JOBS = 1;

  /** The part of a shard that is read and written. */
  private record Shard(int queued, long jobs) {
    static Shard decode(byte @Nullable [] row) {
      if (row == null) {
        return new Shard(0, 0);
      }
      Tuple stored = Tuple.unpack(row);
      return new Shard(stored.getInt(0), stored.getLong(1));
    }

    byte[] encode() {
      return Tuple.of(queued, jobs).pack();
    }
  }

  /**
   * A shard with what was added to it.
   *
   * @param written the part that is written
   * @param queued how many jobs it counts
   * @param jobs how many it has numbered
   */
  private record Count(Shard written, long queued, long jobs) {}

  private QueueTokens() {}

  private static Tuple key(int shard) {
    return PoolKeys.TOKENS.append(shard);
  }

  private static Tuple added(int shard, int what) {
    return PoolKeys.ADDED_TOKENS.append(shard).append(what);
  }

  /** The rows of a shard. */
  static List<Tuple> keys(Rows rows, int shard) {
    return rows.addsWithoutReading()
        ? List.of(key(shard), added(shard, ADDED_QUEUED), added(shard, ADDED_JOBS))
        : List.of(key(shard));
  }

  private static Count count(Rows rows, int shard, boolean firmly) {
    List<Tuple> keys = keys(rows, shard);
    Map<Tuple, byte[]> found = firmly ? rows.getAll(keys) : rows.peekAll(keys);
    Shard written = Shard.decode(found.get(key(shard)));
    return new Count(
        written,
        written.queued + Rows.counter(found.get(added(shard, ADDED_QUEUED))),
        written.jobs + Rows.counter(found.get(added(shard, ADDED_JOBS))));
  }

  /** The shard that counts {@code key} if it can, and always numbers it. */
  static int home(String key) {
    return (int) (JumpHash.hash(key) >>> 60);
  }

  private static int limit(int shard, int queuedMax) {
    return queuedMax / SHARDS + (shard < queuedMax % SHARDS ? 1 : 0);
  }

  /**
   * The epoch before the first one of a new job {@code key}. A former job with this key was
   * numbered before the version that is read here, so its number is lower; other keys may have the
   * same.
   */
  static long nextEpoch(Rows rows, String key) {
    int home = home(key);
    Count known = count(rows, home, false);
    if (rows.addsWithoutReading()) {
      rows.add(added(home, ADDED_JOBS), 1);
    } else {
      rows.set(key(home), new Shard(known.written().queued, known.jobs() + 1).encode());
    }
    return (known.jobs() + 1) << EPOCH_BITS;
  }

  private static void addQueued(Rows rows, int shard, int delta) {
    if (rows.addsWithoutReading()) {
      rows.add(added(shard, ADDED_QUEUED), delta);
    } else {
      Shard known = Shard.decode(rows.get(key(shard)).orElse(null));
      rows.set(key(shard), new Shard(known.queued + delta, known.jobs).encode());
    }
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
    rows.peekAll(others.stream().flatMap(shard -> keys(rows, shard).stream()).toList());
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

  private static boolean takeFrom(Rows rows, int shard, int queuedMax) {
    int limit = limit(shard, queuedMax);
    long queued = count(rows, shard, false).queued();
    if (limit - queued < ROOM_FOR_ALL && !rows.isJoined()) {
      queued = count(rows, shard, true).queued();
    }
    if (queued >= limit) {
      return false;
    }
    addQueued(rows, shard, 1);
    return true;
  }

  /** Counts a job no longer as queued; nothing if {@code shard} is none. */
  static void release(Rows rows, int shard) {
    if (shard != JobRow.NO_TOKEN) {
      addQueued(rows, shard, -1);
    }
  }

  /** How many jobs are counted as queued. */
  public static int queued(Rows rows) {
    return Math.toIntExact(
        IntStream.range(0, SHARDS).mapToLong(shard -> count(rows, shard, true).queued()).sum());
  }

  /** Counts none as queued; the numbers of jobs go on. */
  static void reset(Rows rows) {
    for (int shard = 0; shard < SHARDS; shard++) {
      long jobs = count(rows, shard, true).jobs();
      rows.set(key(shard), new Shard(0, jobs).encode());
      rows.clear(added(shard, ADDED_QUEUED));
      rows.clear(added(shard, ADDED_JOBS));
    }
  }
}
