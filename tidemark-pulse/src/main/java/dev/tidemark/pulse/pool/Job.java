package dev.tidemark.pulse.pool;

import java.time.Instant;

/** A job, as its handler gets it. */
public interface Job {
  /** The key. No other job of the pool has it. */
  String key();

  /** What it was dispatched with; a copy. */
  byte[] payload();

  /** When it was dispatched, by the store's clock. */
  Instant createdAt();

  /**
   * The fencing token: greater for every later owner of this job. Whatever the handler changes
   * outside of the store can be protected by refusing a smaller one than was seen before.
   */
  long epoch();

  /** The number of this attempt, from 1; only a failure leads to another one. */
  int attempt();

  /** Whether the job was moved here from a worker that had it before. */
  boolean requeued();

  /**
   * Whether the job is no longer this handler's: its node lost the lease and others may run it.
   * True at once when the node has noticed, and at latest when its lease has run out by its own
   * clock.
   */
  boolean isLost();

  /**
   * The pool, to dispatch other jobs from inside. A dispatch waits for the start of its job, and a
   * runner whose calls are all busy starts none: give the job a time ({@link
   * DispatchOptions#withDelay}) or a transaction, with which nobody waits.
   */
  PoolClient client();
}
