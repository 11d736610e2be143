package dev.tidemark.pulse.internal;

import dev.tidemark.pulse.Worker;
import java.util.List;

/** A worker as its user sees it: the same through all lives of its node. */
final class RealWorker implements Worker {
  private final Maker maker;
  private volatile LocalWorker current;
  private volatile boolean removed;

  /** Makes the worker anew for each life of the node. */
  @FunctionalInterface
  interface Maker {
    LocalWorker make(NodeLife life, String id);
  }

  RealWorker(Maker maker, NodeLife life) {
    this.maker = maker;
    this.current = maker.make(life, life.newWorkerId());
  }

  /** Begins in another life of the node. */
  LocalWorker renew(NodeLife life) {
    current.end();
    current = maker.make(life, life.newWorkerId());
    return current;
  }

  /** Whether it is in the life {@code asked} of the node. */
  boolean isIn(NodeLife asked) {
    return PoolKeys.nodeOf(id()).equals(asked.id());
  }

  LocalWorker current() {
    return current;
  }

  void markRemoved() {
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
