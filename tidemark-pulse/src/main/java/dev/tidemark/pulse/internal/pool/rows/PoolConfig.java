package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.PoolOptions;
import java.util.Optional;

/**
 * The options that all nodes of a pool share.
 *
 * @param workerTtl in milliseconds
 * @param restartGrace in milliseconds
 * @param queuedMax how many jobs may wait to be started
 */
public record PoolConfig(long workerTtl, long restartGrace, int queuedMax) {
  public static PoolConfig of(PoolOptions options) {
    return new PoolConfig(
        options.workerTtl().toMillis(), options.restartGrace().toMillis(), options.queuedMax());
  }

  byte[] encode() {
    return Tuple.of(workerTtl, restartGrace, queuedMax).pack();
  }

  static Optional<PoolConfig> stored(Rows rows) {
    return rows.get(PoolKeys.CONFIG).map(PoolConfig::decode);
  }

  private static PoolConfig decode(byte[] bytes) {
    Tuple row = Tuple.unpack(bytes);
    return new PoolConfig(row.getLong(0), row.getLong(1), row.getInt(2));
  }

  /** Passes if a node with these options may join one with {@code others}. */
  void checkAgainst(PoolConfig others) {
    check("workerTtl", workerTtl + " ms", others.workerTtl + " ms");
    check("restartGrace", restartGrace + " ms", others.restartGrace + " ms");
    check("queuedMax", "" + queuedMax, "" + others.queuedMax);
  }

  private static void check(String name, String mine, String theirs) {
    if (!mine.equals(theirs)) {
      throw new PoolException(
          "This node has %s=%s and the nodes of the pool have %s; give all of them the same"
              .formatted(name, mine, theirs));
    }
  }
}
