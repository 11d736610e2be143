package dev.tidemark.partitions.internal.policy;

import java.util.List;

/** What a policy wants done. */
public sealed interface Action {
  /** Why, for the log and the operator. */
  String reason();

  /** The partitions that change, which then rest for a while. */
  List<String> partitions();

  /** Split a partition where its actor or its keys say. */
  record Split(String partition, String reason) implements Action {
    @Override
    public List<String> partitions() {
      return List.of(partition);
    }
  }

  /** Merge two neighbours; the upper one moves to the node of the lower one first. */
  record Merge(String lower, String upper, String reason) implements Action {
    @Override
    public List<String> partitions() {
      return List.of(lower, upper);
    }
  }

  /**
   * Move a partition.
   *
   * @param gain by how many requests a second the most loaded of both nodes is relieved
   */
  record Move(String partition, String from, String to, double gain, String reason)
      implements Action {
    @Override
    public List<String> partitions() {
      return List.of(partition);
    }
  }
}
