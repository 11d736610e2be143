package dev.tidemark.pulse.internal.pool.rows;

import dev.tidemark.coordination.Rows;

/**
 * Epochs that grow from one life of a key to the next: each job of a key begins with a higher epoch
 * than any assignment of the jobs that had the key before it.
 */
final class KeyEpochs {
  /** How many assignments of one job fit before the epochs of the next one with its key. */
  private static final int EPOCH_BITS = 24;

  private KeyEpochs() {}

  /**
   * The epoch before the first one of a new job {@code key}. A former job with this key was
   * numbered before the version that is read here, so its number is lower; jobs of other keys may
   * have the same number.
   */
  static long next(Rows rows, String key) {
    int home = TokenShards.home(key);
    long number = TokenShards.peek(rows, home).jobs() + 1;
    TokenShards.addJob(rows, home);
    return number << EPOCH_BITS;
  }
}
