package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.rows.PoolKeys;
import dev.tidemark.pulse.pool.Worker;
import java.util.List;

/** A worker as its user sees it: the same through all lives of its node. */
public final class WorkerHandle implements Worker {
  private final Maker maker;
  private volatile LocalWorker current;
  private volatile boolean removed;

  /** Creates the worker again for each incarnation of the node. */
  @FunctionalInterface
  public interface Maker {
    LocalWorker make(NodeLife life, String id);
  }

  public WorkerHandle(Maker maker, NodeLife life) {
    this.maker = maker;
    this.current = maker.make(life, life.newWorkerId());
  }

  /** Begins in another life of the node. */
  public LocalWorker renew(NodeLife life) {
    current.end();
    current = maker.make(life, life.newWorkerId());
    return current;
  }

  /** Whether it is in the life {@code asked} of the node. */
  public boolean isIn(NodeLife asked) {
    return PoolKeys.nodeOf(id()).equals(asked.id());
  }

  public LocalWorker current() {
    return current;
  }

  public void markRemoved() {
    removed = true;
    current.end();
  }

  @Override
  public String id() {
    return current.id();
  }

  @Override
  public List<String> jobs() {
    return current.jobs();
  }

  @Override
  public boolean isRemoved() {
    return removed;
  }

  @Override
  public String toString() {
    return "Worker[" + id() + "]";
  }
}
