package dev.tidemark.records.changes;

import java.util.List;

/**
 * The end of a partition: the children that continue with its records. After a split several
 * children have this parent; after a merge one child has several parents, all of which end at the
 * same position.
 *
 * @param position where the partition ends and its children begin
 * @param children the partitions that continue
 */
public record PartitionEnd(ChangePosition position, List<Child> children) {
  /**
   * A partition that continues.
   *
   * @param token its token
   * @param parents the tokens of all partitions that end where it begins
   */
  public record Child(String token, List<String> parents) {
    /** Copies the list. */
    public Child {
      parents = List.copyOf(parents);
    }
  }

  /** Copies the list. */
  public PartitionEnd {
    children = List.copyOf(children);
  }
}
