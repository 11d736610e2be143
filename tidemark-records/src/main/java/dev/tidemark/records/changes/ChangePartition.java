package dev.tidemark.records.changes;

import dev.tidemark.kv.tuple.Tuple;
import java.util.List;
import java.util.Optional;

/**
 * A partition of a change log: the changes of the records in one range of keys, from one commit to
 * another. Its range never changes; a split or a merge ends it and begins others.
 *
 * @param token identifies it, within this stream only
 * @param begin the begin of its range; empty for the first of all records
 * @param end the end of its range, exclusive; empty for behind the last record
 * @param start the position of the commit that made it; its changes are behind it
 * @param ended the position of its last row, which names its children; empty while it is active
 * @param parents the tokens of the partitions that had its range before; empty if it is original
 * @param children the tokens of the partitions that have its range now; empty while it is active
 */
public record ChangePartition(
    String token,
    Optional<Bound> begin,
    Optional<Bound> end,
    ChangePosition start,
    Optional<ChangePosition> ended,
    List<String> parents,
    List<String> children) {
  /**
   * A bound of a range of records.
   *
   * @param type the name of the type; {@code #} and a number for a type that the schema does not
   *     have
   * @param key the primary key, or the first elements of one
   */
  public record Bound(String type, Tuple key) {}

  /** Copies the lists. */
  public ChangePartition {
    parents = List.copyOf(parents);
    children = List.copyOf(children);
  }

  /** Whether it can still get changes. */
  public boolean isActive() {
    return ended.isEmpty();
  }

  /** Whether the changes right behind {@code position} are in this partition. */
  public boolean isAliveAt(ChangePosition position) {
    return start.compareTo(position) <= 0
        && (ended.isEmpty() || ended.get().compareTo(position) > 0);
  }
}
