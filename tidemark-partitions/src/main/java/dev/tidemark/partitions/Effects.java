package dev.tidemark.partitions;

import dev.tidemark.kv.Transaction;

/**
 * What else belongs to a request: a record to save, an event to add, a job to dispatch. It joins
 * the transaction that appends the actor's log entry, so that all of it happens, or nothing.
 *
 * <p>It runs on another thread than the actor, after {@link Actor#receive} has returned and while
 * the actor may be at later requests: it must not touch the actor's state. Like every body of a
 * transaction it may run several times. If it throws, the request fails, nothing of it is kept, and
 * the actor is loaded again from the store.
 */
@FunctionalInterface
public interface Effects {
  /** Reads and writes in {@code tx}; whoever opened it commits. */
  void apply(Transaction tx) throws Exception;
}
