package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.Tuple;
import org.jspecify.annotations.Nullable;

/** What a node of a plan finds, row by row. Used by one thread. */
public interface Rows {
  /**
   * The next row, which stays the next one until it is taken. Null if there is none, or if the
   * meter has stopped the node: then it says so.
   */
  @Nullable Hit peek();

  /** Takes the row that {@link #peek} answered. */
  void take();

  /** Takes rows without a look at them, up to {@code most}; answers how many there were. */
  default long pass(long most) {
    long passed = 0;
    while (passed < most && peek() != null) {
      take();
      passed++;
    }
    return passed;
  }

  /**
   * Where another execution of the same plan goes on so that just the rows come that have not been
   * taken here; empty for the beginning.
   */
  Tuple position();
}
