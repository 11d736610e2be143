package dev.tidemark.records.internal.query.scan;

/**
 * The sizes of the portions in which records are loaded. Portions grow, so that a caller that takes
 * a few pays for a few. If the number of wanted rows is known, a portion is large enough to find
 * the rest of them at the rate of matches so far. Used by one thread.
 */
public final class Portions {
  static final int SMALLEST = 8;
  public static final int LARGEST = 256;

  /** The first portion if the number of rows is unknown; queries for a few rows have a limit. */
  private static final int FIRST = 32;

  private int expected;
  private long loaded;
  private long found;
  private int size;

  /**
   * Begins.
   *
   * @param expected the number of rows that will be taken; 0 if unknown
   * @param candidates the probable number of records to load for them
   * @param careful whether to begin with few records, because their size is unknown and limited
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

  /** Subtracts {@code rows} expected rows that need not be loaded. */
  public void pass(long rows) {
    if (expected > 0) {
      expected = (int) Math.max(1, expected - rows);
      size = Math.min(size, expected);
    }
  }

  /** Adds a portion of {@code records} with {@code rows} matches. */
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
