package dev.tidemark.pulse.internal.pool.worker;

import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.pulse.internal.pool.member.PoolCore;
import dev.tidemark.pulse.internal.pool.member.PoolCounts;
import dev.tidemark.pulse.internal.pool.rows.JobClaim;
import dev.tidemark.pulse.internal.pool.rows.JobTransitions;
import dev.tidemark.pulse.internal.pool.rows.KeyMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Jobs that a worker has stopped and gives away, some hundred in one transaction. */
final class HandOver {
  private static final int BATCH = 256;
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(200);

  private final PoolCore core;
  private final LocalJobs jobs;
  private final LocalWorker.Ending ending;
  private final BooleanSupplier insists;
  private final List<LocalJobs.Entry> stopped = new ArrayList<>();

  /**
   * Jobs of a worker that are to be given away.
   *
   * @param insists whether to try again when the store fails. Otherwise somebody else has to find
   *     the jobs, which run nowhere although the store says that they do
   */
  HandOver(PoolCore core, LocalJobs jobs, LocalWorker.Ending ending, BooleanSupplier insists) {
    this.core = core;
    this.jobs = jobs;
    this.ending = ending;
    this.insists = insists;
  }

  /** Gives a job away that does not run here any more. */
  void add(LocalJobs.Entry entry) {
    jobs.end(entry);
    stopped.add(entry);
    if (stopped.size() == BATCH) {
      flush();
    }
  }

  /** Tells the store of what it has not been told yet. */
  void flush() {
    if (stopped.isEmpty()) {
      return;
    }
    List<JobClaim> claims = stopped.stream().map(LocalJobs.Entry::claim).toList();
    while (!store(claims)) {}
    stopped.forEach(jobs::remove);
    stopped.clear();
  }

  /** Whether it is done; otherwise it is to be tried again. */
  private boolean store(List<JobClaim> claims) {
    try {
      commit(claims);
      return true;
    } catch (InterruptedOperationException ended) {
      throw ended;
    } catch (RuntimeException failure) {
      if (!insists.getAsBoolean() || !core.pause(PAUSE_AFTER_FAILURE)) {
        throw failure;
      }
      core.report("%d jobs are not given away yet".formatted(claims.size()), failure);
      return false;
    }
  }

  private void commit(List<JobClaim> claims) {
    long now = core.now();
    long forgotten =
        core.rows()
            .transact(
                rows ->
                    switch (ending) {
                      case HAND_OVER -> {
                        JobTransitions.handOver(rows, claims);
                        yield 0L;
                      }
                      case FORGET -> forget(rows, claims, now);
                    });
    core.counts().add(PoolCounts.What.STOPPED, forgotten);
  }

  /** Forgets those that still are this worker's; how many jobs they are, without messages. */
  private static long forget(Rows rows, List<JobClaim> claims, long now) {
    long forgotten = 0;
    for (JobClaim claim : claims) {
      boolean held = JobTransitions.removed(rows, claim, now);
      forgotten += held && !KeyMessages.isBox(claim.key()) ? 1 : 0;
    }
    return forgotten;
  }
}
