package dev.tidemark.pulse.pool;

/** A schedule that the nodes of a pool share. See {@link PoolNode#schedule}. */
public interface Schedule extends AutoCloseable {
  /** The name that the nodes share. */
  String name();

  /** Whether it was closed here, or ended everywhere. */
  boolean isEnded();

  /** Ends the schedule on all nodes; jobs that it started go on. */
  void stop();

  /** Takes this node out of the schedule; the plans are made by others. Can be called again. */
  @Override
  void close();
}
