package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import java.util.Optional;

/**
 * A beat that nodes share: the node that moves the time of the next beat on has the beat it passes.
 *
 * @param interval between two beats, in milliseconds
 * @param next when the next one is, in milliseconds
 */
public record BeatRow(long interval, long next) {
  byte[] encode() {
    return Tuple.of(interval, next).pack();
  }

  public static Optional<BeatRow> read(Rows rows, Tuple key) {
    return rows.get(key).map(Tuple::unpack).map(row -> new BeatRow(row.getLong(0), row.getLong(1)));
  }

  /** The first beat at {@code time} or later that is still to come. */
  public long atOrAfter(long time) {
    return time <= next ? next : next + Math.ceilDiv(time - next, interval) * interval;
  }

  /** Begins a beat, or gives it another interval. */
  public static void join(Rows rows, Tuple key, long interval, long first, long now) {
    Optional<BeatRow> there = read(rows, key);
    if (there.isEmpty()) {
      write(rows, key, new BeatRow(interval, first));
    } else if (there.get().interval() != interval) {
      long next = there.get().next();
      write(rows, key, new BeatRow(interval, next <= now ? next : now + interval));
    }
  }

  private static void write(Rows rows, Tuple key, BeatRow beat) {
    rows.set(key, beat.encode());
    rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
  }

  /** Takes all beats up to {@code time}; false if another node has, or the beat has ended. */
  public static boolean take(Rows rows, Tuple key, long time) {
    Optional<BeatRow> beat = read(rows, key).filter(row -> row.next() <= time);
    beat.ifPresent(
        row -> rows.set(key, new BeatRow(row.interval, row.atOrAfter(time + 1)).encode()));
    return beat.isPresent();
  }

  /** Ends a beat for all nodes. */
  public static void end(Rows rows, Tuple key) {
    rows.clear(key);
    rows.wake(PoolKeys.POOL_CHANNEL, RowStore.NO_HINT);
  }
}
