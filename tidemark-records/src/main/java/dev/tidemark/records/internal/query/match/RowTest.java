package dev.tidemark.records.internal.query.match;

/**
 * A condition with its values, ready to test rows. Used by one thread.
 *
 * @param <S> what a row is
 */
public abstract class RowTest<S> {
  static final int FALSE = -1;
  static final int UNKNOWN = 0;
  static final int TRUE = 1;

  RowTest() {}

  /** Whether the condition is true for {@code row}. */
  public final boolean holds(S row) {
    return truth(row) == TRUE;
  }

  /**
   * {@link #TRUE}, {@link #FALSE} or {@link #UNKNOWN}, ordered so that AND is the minimum and OR
   * the maximum.
   */
  abstract int truth(S row);

  static int truth(boolean value) {
    return value ? TRUE : FALSE;
  }
}
