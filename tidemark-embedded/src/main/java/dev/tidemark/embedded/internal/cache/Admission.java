package dev.tidemark.embedded.internal.cache;

import java.util.concurrent.atomic.LongAdder;

/*
 * An entry costs more than it saves if it is evicted before its next use: memory is written, and
 * the garbage collector has to move it. So a full cache measures its hit rate. While the rate is
 * low, the cache admits a small part of what it reads: enough to notice when the same rows are
 * read again, and to have them soon. Keeping a scan costs as much as reading it, so the scans need
 * a hit rate of a half, fewer of them are admitted for trial, and their rate is measured over
 * fewer lookups.
 */

/** Decides whether a full cache admits more, by its recent hit rate. */
final class Admission {
  /** The number of misses that are counted together. */
  private final int window;

  /** While its hit rate is low, a cache admits one miss in so many. */
  private final int oneIn;

  /**
   * Below the first number of hits in a hundred lookups admission stops; from the second on it
   * resumes.
   */
  private final int tooFew;

  private final int enough;

  private final LongAdder hits = new LongAdder();

  // Written by several threads without synchronization: it is an estimate.
  private int misses;
  private int windowMisses;
  private volatile boolean picky;

  private Admission(int window, int oneIn, int tooFew, int enough) {
    this.window = window;
    this.oneIn = oneIn;
    this.tooFew = tooFew;
    this.enough = enough;
  }

  static Admission ofRows() {
    return new Admission(1 << 14, 16, 15, 30);
  }

  static Admission ofScans() {
    return new Admission(1 << 10, 64, 50, 60);
  }

  /** Notes a hit. */
  void hit() {
    hits.increment();
  }

  /**
   * Notes a miss, and returns whether to admit what was read; {@code full} if that evicts
   * something.
   */
  boolean admits(boolean full) {
    int count = ++misses;
    if (++windowMisses >= window) {
      windowMisses = 0;
      long found = hits.sumThenReset();
      long percent = 100 * found / (found + window);
      picky = full && percent < (picky ? enough : tooFew);
    }
    return !picky || count % oneIn == 0;
  }

  /** Whether admission is restricted at the moment. */
  boolean isPicky() {
    return picky;
  }
}
