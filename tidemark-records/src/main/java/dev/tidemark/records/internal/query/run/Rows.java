package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** The rows of a node of a plan. Used by one thread. */
public interface Rows {
  /**
   * The next row, which stays the next one until it is taken. Null if there is none, or if the
   * meter has stopped the node: then it says so.
   */
  @Nullable Hit peek();

  /** Takes the row that {@link #peek} returned. */
  void take();

  /** Skips up to {@code most} rows, and returns how many. */
  default long pass(long most) {
    long passed = 0;
    while (passed < most && peek() != null) {
      take();
      passed++;
    }
    return passed;
  }

  /**
   * The position from which another execution of the same plan returns exactly the rows that were
   * not taken here; empty for the beginning.
   */
  Tuple position();
}
