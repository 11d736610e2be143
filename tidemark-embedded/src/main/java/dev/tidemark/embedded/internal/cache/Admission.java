package dev.tidemark.embedded.internal.cache;

import java.util.concurrent.atomic.LongAdder;

/*
 * What is kept costs more than it saves if it is driven out before anybody asks for it again: memory is
 * written, and the garbage collector has to move it. So a full cache counts how often it had what was
 * asked for. While that is seldom, it keeps one in sixteen of what it could: enough to notice when
 * the same rows are asked for again, and to have them soon.
 */

/** Decides whether a cache that is full keeps more, by how often it was of use lately. */
final class Admission {
  /** So many misses are looked at together. */
  private static final int WINDOW = 1 << 14;

  private static final int ONE_IN = 16;

  /** Below so many hits in a hundred questions keeping stops, and above the other it goes on. */
  private static final int TOO_FEW = 15;

  private static final int ENOUGH = 30;

  private final LongAdder hits = new LongAdder();

  // Written by several threads at once without care: it is an estimate.
  private int misses;
  private int windowMisses;
  private volatile boolean picky;

  /** Notes that the cache had what was asked for. */
  void hit() {
    hits.increment();
  }

  /**
   * Notes that it had not, and says whether to keep it; {@code full} if that drives out another.
   */
  boolean admits(boolean full) {
    int count = ++misses;
    if (++windowMisses >= WINDOW) {
      windowMisses = 0;
      long found = hits.sumThenReset();
      long percent = 100 * found / (found + WINDOW);
      picky = full && percent < (picky ? ENOUGH : TOO_FEW);
    }
    return !picky || count % ONE_IN == 0;
  }

  /** Whether little is kept at the moment. */
  boolean isPicky() {
    return picky;
  }
}
