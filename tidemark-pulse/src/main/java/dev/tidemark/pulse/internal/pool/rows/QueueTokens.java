package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.pulse.pool.PoolFullException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The limit of jobs that have never been started, without one row that every dispatch writes: each
 * of the {@link TokenShards} has its part of the limit, and a job whose own shard is full takes a
 * place in another. The pool is full when all shards are.
 *
 * <p>A shard with little room is read with conflicts, so that of two dispatches that see its last
 * place one is tried again. Only the caller's own transaction, which may be long, never conflicts:
 * of those that commit at the same time each sees the room that there was before.
 */
public final class QueueTokens {
  /** With room for so many, all who dispatch to a shard at the same moment find a place. */
  private static final int ROOM_FOR_ALL = 32;

  private QueueTokens() {}

  private static int limit(int shard, int queuedMax) {
    return queuedMax / TokenShards.SHARDS + (shard < queuedMax % TokenShards.SHARDS ? 1 : 0);
  }

  /**
   * Counts the job {@code key} as queued.
   *
   * @return the shard that counts it
   * @throws PoolFullException if {@code queuedMax} jobs are queued
   */
  static int take(Rows rows, String key, int queuedMax) {
    int home = TokenShards.home(key);
    if (takeFrom(rows, home, queuedMax)) {
      return home;
    }
    List<Integer> others =
        IntStream.range(1, TokenShards.SHARDS)
            .mapToObj(step -> (home + step) % TokenShards.SHARDS)
            .toList();
    rows.peekAll(others.stream().flatMap(shard -> TokenShards.keys(rows, shard).stream()).toList());
    for (int shard : others) {
      if (takeFrom(rows, shard, queuedMax)) {
        return shard;
      }
    }
    throw new PoolFullException(
        ("%,d jobs wait to be started, or for their time, which is the limit"
                + " (PoolOptions.queuedMax); the job %s was not taken. Add workers, or try again"
                + " later")
            .formatted(queuedMax, key));
  }

  private static boolean takeFrom(Rows rows, int shard, int queuedMax) {
    int limit = limit(shard, queuedMax);
    long queued = TokenShards.peek(rows, shard).queued();
    if (limit - queued < ROOM_FOR_ALL && !rows.isJoined()) {
      queued = TokenShards.read(rows, shard).queued();
    }
    if (queued >= limit) {
      return false;
    }
    TokenShards.addQueued(rows, shard, 1);
    return true;
  }

  /** Counts a job no longer as queued; nothing if {@code shard} is none. */
  static void release(Rows rows, int shard) {
    if (shard != JobRow.NO_TOKEN) {
      TokenShards.addQueued(rows, shard, -1);
    }
  }

  /** The number of jobs that are counted as queued. */
  public static int queued(Rows rows) {
    return Math.toIntExact(
        IntStream.range(0, TokenShards.SHARDS)
            .mapToLong(shard -> TokenShards.read(rows, shard).queued())
            .sum());
  }

  /** Counts no job as queued. */
  static void reset(Rows rows) {
    for (int shard = 0; shard < TokenShards.SHARDS; shard++) {
      TokenShards.resetQueued(rows, shard);
    }
  }
}
