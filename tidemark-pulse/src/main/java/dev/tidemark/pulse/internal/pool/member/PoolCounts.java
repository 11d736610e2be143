package dev.tidemark.pulse.internal.pool.member;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a member of a pool has done so far. Counted by all of its threads, without a lock. */
public final class PoolCounts {
  private final Map<What, LongAdder> counts = new EnumMap<>(What.class);

  /** What is counted. */
  public enum What {
    /** A worker began with a job. */
    STARTED,
    /** The store has it that a job is done. */
    FINISHED,
    /** The store has it that a job failed. */
    FAILED,
    /** The store has it that a job was stopped for good. */
    STOPPED,
    /** The pool took a job. */
    DISPATCHED,
    /** The pool refused a job. */
    REFUSED,
    /** The lease of the node was lost. */
    LEASE_LOST
  }

  PoolCounts() {
    for (What each : What.values()) {
      counts.put(each, new LongAdder());
    }
  }

  public void add(What what) {
    add(what, 1);
  }

  public void add(What what, long times) {
    adder(what).add(times);
  }

  public long of(What what) {
    return adder(what).sum();
  }

  private LongAdder adder(What what) {
    LongAdder adder = counts.get(what);
    if (adder == null) {
      throw new AssertionError("All are counted");
    }
    return adder;
  }
}
