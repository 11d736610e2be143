package dev.tidemark.records.internal.index;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An index that keeps one total for each group of records.
 *
 * @param <P> the total of a group, which can be joined with those of other groups
 */
public sealed interface Grouped<P> permits EverMaintainer, ExtremumMaintainer, TotalMaintainer {
  /**
   * The total of one group.
   *
   * @param group the values of its columns
   * @param total its total
   */
  record Part<P>(Tuple group, P total) {}

  /** The columns of the index: those of the group, then that of the value if it has one. */
  Columns columns();

  /** The total of the group {@code group}, if it has one. */
  Optional<P> total(ReadTransaction tx, Tuple group);

  /** The totals of all groups that begin with {@code prefix}, in order, read as they are taken. */
  Iterator<Part<P>> totals(ReadTransaction tx, Tuple prefix);

  /** The total of two groups together. */
  P join(P one, P other);

  /** Converts {@code total} to the result for callers; null for no group. */
  Optional<Object> result(@Nullable P total);

  /** The result for all groups that begin with {@code prefix} together. */
  default Optional<Object> rolledUp(ReadTransaction tx, Tuple prefix) {
    P all = null;
    Iterator<Part<P>> parts = totals(tx, prefix);
    while (parts.hasNext()) {
      P next = parts.next().total();
      all = all == null ? next : join(all, next);
    }
    return result(all);
  }
}
