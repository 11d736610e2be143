package dev.tidemark.records.internal.query.run;

import dev.tidemark.kv.tuple.Tuple;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One branch of a union, without the rows that an earlier branch has as well. */
final class UnionBranch {
  private final Function<Tuple, Rows> opener;
  private final List<Predicate<Hit>> before;

  /**
   * A branch.
   *
   * @param opener opens its rows at a place
   * @param before the tests of the earlier branches
   */
  UnionBranch(Function<Tuple, Rows> opener, List<Predicate<Hit>> before) {
    this.opener = opener;
    this.before = before;
  }

  Rows open(Tuple start) {
    return opener.apply(start);
  }

  /** The next of {@code rows}, which this branch has opened, that belongs to this branch. */
  @Nullable Hit peek(Rows rows) {
    Hit hit = rows.peek();
    while (hit != null && isOfAnother(hit)) {
      rows.take();
      hit = rows.peek();
    }
    return hit;
  }

  private boolean isOfAnother(Hit hit) {
    for (Predicate<Hit> branch : before) {
      if (branch.test(hit)) {
        return true;
      }
    }
    return false;
  }
}
