package dev.tidemark.records.internal.query.scan;

/**
 * How many records are loaded at a time. Portions grow, so that a caller who takes a few pays for a
 * few. Where it is known how many rows are wanted, a portion is as large as it takes to find the
 * rest of them if records go on to be as they were. Used by one thread.
 */
public final class Portions {
  static final int SMALLEST = 8;
  public static final int LARGEST = 256;

  /** The first portion where nobody knows how many are taken: those who want few say so. */
  private static final int FIRST = 32;

  private int expected;
  private long loaded;
  private long found;
  private int size;

  /**
   * Begins.
   *
   * @param expected how many rows will be taken; 0 if nobody knows
   * @param candidates how many records have to be loaded for that, probably
   * @param careful whether to begin with few, because nobody knows how large they are
   */
  public Portions(int expected, int candidates, boolean careful) {
    this.expected = expected;
    int first = expected == 0 ? FIRST : Math.min(candidates, LARGEST);
    this.size = careful ? Math.min(first, SMALLEST) : first;
  }

  /** How many records the next portion has. */
  public int size() {
    return size;
  }

  /** Notes that {@code rows} of those that were expected come without being loaded. */
  public void pass(long rows) {
    if (expected > 0) {
      expected = (int) Math.max(1, expected - rows);
      size = Math.min(size, expected);
    }
  }

  /** Notes that a portion of {@code records} had {@code rows}. */
  public void add(int records, int rows) {
    loaded += records;
    found += rows;
    size = next();
  }

  /** More rows than were expected are found where another branch of a union has them as well. */
  private int next() {
    if (expected == 0 || found == 0 || found >= expected) {
      return Math.min(2 * size, LARGEST);
    }
    return Math.clamp((expected - found) * loaded / found, SMALLEST, LARGEST);
  }
}
