package dev.tidemark.embedded.internal.cache;

import java.util.concurrent.atomic.LongAdder;

/*
 * What is kept costs more than it saves if it is driven out before anybody asks for it again: memory is
 * written, and the garbage collector has to move it. So a full cache counts how often it had what was
 * asked for. While that is seldom, it keeps a few of what it could: enough to notice when the same
 * rows are asked for again, and to have them soon. To keep a scan costs as much as to read it: so scans
 * have to be found half of the time, fewer are kept for trial, and the count is taken sooner.
 */

/** Decides whether a cache that is full keeps more, by how often it was of use lately. */
final class Admission {
  /** So many misses are looked at together. */
  private final int window;

  /** While it is of little use, a cache keeps one miss of so many. */
  private final int oneIn;

  /** Below so many hits in a hundred questions keeping stops, and from the other on it goes on. */
  private final int tooFew;

  private final int enough;

  private final LongAdder hits = new LongAdder();

  // Written by several threads at once without care: it is an estimate.
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

  /** Notes that the cache had what was asked for. */
  void hit() {
    hits.increment();
  }

  /**
   * Notes that it had not, and says whether to keep it; {@code full} if that drives out another.
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

  /** Whether little is kept at the moment. */
  boolean isPicky() {
    return picky;
  }
}
