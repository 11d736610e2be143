package dev.tidemark.pulse.pool;

import java.util.List;

/** A worker of this node. */
public interface Worker {
  /** Its id. Another one after its node lost the lease and joined again. */
  String id();

  /** The keys of the jobs that it runs, in order. */
  List<String> jobs();

  /** Whether it was removed, by itself or with its node. */
  boolean isRemoved();
}
