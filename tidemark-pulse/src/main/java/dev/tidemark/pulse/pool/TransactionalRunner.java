package dev.tidemark.pulse.pool;

import dev.tidemark.kv.Transaction;

/**
 * What a worker does with jobs whose effects are all in the store.
 *
 * <p>What {@link #run} writes with its transaction, and the end of the job, are one commit. The
 * commit conflicts if the job has been stopped or taken over, so each job has its effect exactly
 * once between its dispatch and the store, however often it is run and whoever crashes. The limits:
 * the runner may run several times, so what it does outside of the transaction (mail, requests,
 * other stores) can happen more than once; and a transaction lasts five seconds, so longer work
 * belongs in a {@link JobRunner}.
 */
@FunctionalInterface
public interface TransactionalRunner {
  /**
   * Does the work of {@code job} with {@code tx}, which the pool commits.
   *
   * @throws Exception if it failed; nothing was written, and the job is tried again or becomes a
   *     dead one
   */
  void run(Transaction tx, Job job) throws Exception;
}
