package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.pulse.internal.pool.member.NodeLife;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobTable;
import dev.tidemark.pulse.internal.pool.rows.JobTransitions;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobRunner;
import dev.tidemark.pulse.pool.PoolException;
import dev.tidemark.pulse.pool.TransactionalRunner;

/** How one job that ends is run. */
@FunctionalInterface
public interface RunStep {
  /**
   * Runs a job.
   *
   * @return whether its end is in the store already
   * @throws Exception what the runner threw
   */
  boolean run(NodeLife life, JobClaim claim, Job job) throws Exception;

  /** Says that the job has begun, runs it, and leaves its end to be reported. */
  static RunStep of(JobRunner runner) {
    return (life, claim, job) -> {
      life.reports()
          .add(claim.key(), (rows, now) -> JobTransitions.started(rows, claim, now), held -> {});
      runner.run(job);
      return false;
    };
  }

  /**
   * Says that the job has begun and waits until that is stored, because it would conflict with the
   * transaction; then runs the job and ends it in one commit.
   */
  static RunStep of(TransactionalRunner runner) {
    return (life, claim, job) -> {
      boolean held =
          life.reports()
              .await(claim.key(), (rows, now) -> JobTransitions.started(rows, claim, now));
      if (!held) {
        return true;
      }
      long now = life.core().now();
      boolean finished =
          life.core()
              .rows()
              .transactJoined(
                  (tx, rows) -> {
                    if (JobTable.owned(rows, claim).isEmpty()) {
                      throw new PoolException("The job " + claim.key() + " went to another worker");
                    }
                    runner.run(tx, job);
                    return JobTransitions.finished(rows, claim, now);
                  });
      if (finished) {
        life.core().counts().add(PoolCounts.What.FINISHED);
      }
      return true;
    };
  }
}
