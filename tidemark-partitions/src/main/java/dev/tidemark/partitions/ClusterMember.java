package dev.tidemark.partitions;

/**
 * A node of a cluster, as the manager sees it.
 *
 * @param node its name
 * @param address where it is served; empty before its first start
 * @param state how the manager sees it
 * @param incarnation which start of it; 0 before the first
 * @param generation the label of what it runs
 * @param partitions how many partitions it owns
 * @param alive whether its lease lasts
 */
public record ClusterMember(
    String node,
    String address,
    State state,
    long incarnation,
    String generation,
    int partitions,
    boolean alive) {
  /** How the manager sees a node. */
  public enum State {
    /** Known, and not let in yet or not running. */
    WAITING,
    /** Running, and may be given partitions. */
    ACTIVE,
    /** Running, and giving its partitions away. */
    DRAINING,
    /** Its lease ended. */
    FAILED
  }
}
