package dev.tidemark.records.changes;

import java.util.List;

/**
 * The last row of a partition: who goes on with its records. After a split there are several
 * children with this parent; after a merge one child with several parents, each of which ends with
 * the same position.
 *
 * @param position where the partition ends and its children begin
 * @param children those that go on
 */
public record PartitionEnd(ChangePosition position, List<Child> children) {
  /**
   * A partition that goes on.
   *
   * @param token its token
   * @param parents the tokens of all that end where it begins
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
